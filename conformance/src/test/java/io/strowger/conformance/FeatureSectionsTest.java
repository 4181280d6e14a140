package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.core.PluginDirectory;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests sections of the configuration with the whole program on loopback. */
@Tag("full")
@DisplayName("The sections network, search, fetch, files, moderation and fusion")
class FeatureSectionsTest {
  /** The sections in their documented form. */
  private static final String ALL_SECTIONS =
      """
        "network": { "allow_private": [] },
        "search": { "default": null, "engines": [
          { "name": "house", "kind": "json", "url": "http://127.0.0.1:9900/search?q={query}&n={max_results}", "headers": { "X-Key": "${SEARCH_KEY}" },
            "results": "/results", "fields": { "url": "/url", "title": "/title", "text": "/text" }, "price_per_request": "0" },
          { "name": "exa", "kind": "exa", "api_key": "${EXA_KEY}", "url": null } ] },
        "fetch": { "max_bytes": 5242880, "timeout_ms": 10000, "max_redirects": 5, "user_agent": null },
        "files": { "max_pages": 2000, "max_bytes": 33554432, "timeout_ms": 30000, "ocr": [] },
        "moderation": { "action": "flag", "answers": false, "patterns": [] },
        "fusion": { "presets": { "general-high": { "analysis_models": ["acme/large", "acme/small"], "model": "acme/large" } } }
      """;

  private static final String CONFIG =
      """
      {"providers":[{"slug":"alpha","protocol":"openai-chat","base_url":"UPSTREAM"}],
       "models":[
         {"id":"acme/large","endpoints":[{"provider":"alpha","upstream_model":"large"}]},
         {"id":"acme/small","endpoints":[{"provider":"alpha","upstream_model":"small"}]}],
       "keys":[{"name":"one","key":"sk-one"}],
      SECTIONS}
      """;

  private static final Map<String, String> ENVIRONMENT =
      Map.of("SEARCH_KEY", "house-secret", "EXA_KEY", "exa-secret");

  private final Ambient ambient = new SystemAmbient();
  private final TestAmbient siteAmbient = TestAmbient.realTime();
  private final List<String> siteRequests = Collections.synchronizedList(new ArrayList<>());
  private final HttpClient client = HttpClient.newHttpClient();
  private final SimulatedUpstream upstream = SimulatedUpstream.start(ambient);
  private final RawUpstream site =
      RawUpstream.start(
          siteAmbient,
          false,
          connection -> {
            String head = connection.readHead();
            siteRequests.add(head);
            connection.write(answer(head.split(" ")[1]));
            connection.end();
          });

  @AfterEach
  void stop() {
    client.close();
    upstream.close();
    site.close();
    siteAmbient.assertNoThreadsLeft();
  }

  private static byte[] answer(String path) {
    String body =
        path.startsWith("/search")
            ? "{\"results\":[{\"url\":\"https://a.example/rain\",\"title\":\"Rain\",\"text\":\"It"
                + " rains.\"}]}"
            : "It rains here.";
    String type = path.startsWith("/search") ? "application/json" : "text/plain";
    String status = path.startsWith("/moved") ? "302 Found\r\nLocation: /page" : "200 OK";
    return "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(status, type, body.length(), body)
        .getBytes(StandardCharsets.UTF_8);
  }

  private GatewayConfig config(String sections) {
    String document =
        CONFIG.replace("UPSTREAM", upstream.baseUri().toString()).replace("SECTIONS", sections);
    return new ConfigReader(new JacksonCodec(), ENVIRONMENT::get)
        .read(document.getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  /** Returns the sections with the site as search engine, at an address that is permitted. */
  private String sectionsWithSite() {
    return ALL_SECTIONS
        .replace("\"allow_private\": []", "\"allow_private\": [\"127.0.0.1\"]")
        .replace("http://127.0.0.1:9900", base());
  }

  private String base() {
    return site.baseUri().toString().replaceAll("/$", "");
  }

  private HttpResponse<String> post(String sections, String body) {
    try (var running = RunningGateway.open(config(sections), ambient);
        var host =
            HttpHost.start(
                running.gateway().wire()::handle,
                new HttpHost.Settings("127.0.0.1", 0, 1 << 20, Duration.ofMillis(200)),
                ambient)) {
      return client.send(
          HttpRequest.newBuilder(URI.create(host.uri() + "/chat/completions"))
              .header("authorization", "Bearer sk-one")
              .header("content-type", "application/json")
              .header("x-router-metadata", "enabled")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static String request(String words, String members) {
    ObjectNode request =
        (ObjectNode)
            DialectClient.json(
                "{'model':'acme/large','messages':[{'role':'user','content':''}]" + members + "}");
    ((ObjectNode) request.path("messages").get(0)).put("content", words);
    return request.toString();
  }

  /** Makes the model fetch a page of the site, and returns the request that follows. */
  private String requestAfterFetch(String sections, String path) {
    upstream
        .answerNextWith(
            Script.builder()
                .text("")
                .toolCall("c1", "web_fetch", "{\"url\":\"" + base() + path + "\"}")
                .build())
        .answerNextWith(Script.answer("Done."));
    String tools = ",'tools':[{'type':'router:web_fetch'}]";
    assertThat(post(sections, request("Read it.", tools)).body()).contains("Done.");
    return upstream.last().text();
  }

  @Test
  @DisplayName("are accepted in their documented form, without warnings")
  void documented() {
    assertThat(config(ALL_SECTIONS).unusedMemberWarnings()).isEmpty();
    try (PluginDirectory none = PluginDirectory.none(ambient)) {
      assertThat(RunningGateway.problems(config(ALL_SECTIONS), none, ambient)).isEmpty();
    }
    assertThat(config(ALL_SECTIONS).network().allowPrivate()).isEmpty();
  }

  @Test
  @DisplayName("network.allow_private: a private address is reached if it is listed, at any port")
  void network() {
    assertThat(requestAfterFetch("\"network\": {}", "/page"))
        .contains("failed")
        .doesNotContain("It rains");
    assertThat(siteRequests).isEmpty();
    assertThat(requestAfterFetch(sectionsWithSite(), "/page")).contains("It rains here.");
  }

  @Test
  @DisplayName("search: the first engine is asked, with its headers, if no default is named")
  void search() {
    upstream.answerNextWith(Script.answer("Yes."));
    String body = request("Does it rain?", ",'plugins':[{'id':'web','max_results':3}]");
    assertThat(post(sectionsWithSite(), body).body()).contains("Yes.", "https://a.example/rain");
    assertThat(siteRequests).singleElement().asString().contains("GET /search?q=", "&n=3");
    assertThat(siteRequests.getFirst()).containsIgnoringCase("x-key: house-secret");
    assertThat(upstream.last().text()).contains("It rains.").doesNotContain("house-secret");
  }

  @Test
  @DisplayName("search: a private engine is not asked if its address is not listed")
  void privateEngine() {
    String sections = sectionsWithSite().replace("[\"127.0.0.1\"]", "[]");
    upstream.answerNextWith(Script.answer("Yes."));
    post(sections, request("Does it rain?", ",'plugins':[{'id':'web'}]"));
    assertThat(siteRequests).isEmpty();
  }

  @Test
  @DisplayName("search: an engine is chosen by its name, whatever its kind, or by the default")
  void namedEngine() {
    String sections =
        """
        "network": { "allow_private": ["127.0.0.0/8"] },
        "search": { "default": "second", "engines": [
          { "name": "first", "kind": "json", "url": "%1$s/search/first", "results": "/results" },
          { "name": "second", "kind": "json", "url": "%1$s/search/second", "results": "/results" },
          { "name": "exa", "kind": "json", "url": "%1$s/search/third", "results": "/results" } ] }
        """
            .formatted(base());
    upstream.answerNextWith(Script.answer("Yes."));
    post(sections, request("Does it rain?", ",'plugins':[{'id':'web'}]"));
    upstream.answerNextWith(Script.answer("Yes."));
    post(sections, request("Does it rain?", ",'plugins':[{'id':'web','engine':'exa'}]"));
    assertThat(siteRequests)
        .extracting(head -> head.split(" ")[1])
        .containsExactly("/search/second", "/search/third");
    HttpResponse<String> missing =
        post(sections, request("Does it rain?", ",'plugins':[{'id':'web','engine':'parallel'}]"));
    assertThat(missing.statusCode()).isEqualTo(400);
    assertThat(missing.body()).contains("search.engines");
  }

  @Test
  @DisplayName("fetch: the limits on bytes and redirects apply, and the user agent is sent")
  void fetch() {
    String small = sectionsWithSite().replace("\"max_bytes\": 5242880", "\"max_bytes\": 5");
    assertThat(requestAfterFetch(small, "/page")).contains("more than 5 bytes");
    String straight = sectionsWithSite().replace("\"max_redirects\": 5", "\"max_redirects\": 0");
    assertThat(requestAfterFetch(straight, "/moved")).contains("redirected more than 0 times");
    assertThat(requestAfterFetch(sectionsWithSite(), "/moved")).contains("It rains here.");
    String named = sectionsWithSite().replace("\"user_agent\": null", "\"user_agent\": \"Acme/1\"");
    assertThat(requestAfterFetch(named, "/page")).contains("It rains here.");
    assertThat(siteRequests.getLast()).containsIgnoringCase("user-agent: Acme/1");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"flag, 200", "redact, 200", "block, 403"})
  @DisplayName("moderation: the action applies to all categories and to configured patterns")
  void moderation(String action, int status) {
    String sections =
        sectionsWithSite()
            .replace("\"action\": \"flag\"", "\"action\": \"" + action + "\"")
            .replace("\"patterns\": []", "\"patterns\": [\"blue-[0-9]+\"]");
    if (status == 200) {
      upstream.answerNextWith(Script.answer("It is blue-8."));
    }
    HttpResponse<String> response =
        post(sections, request("What is blue-7?", ",'plugins':[{'id':'moderation'}]"));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.body()).contains("pattern-1");
    if (status == 200) {
      assertThat(response.body()).as("answers are not moderated").contains("It is blue-8.");
      assertThat(upstream.last().text().contains("blue-7")).isEqualTo(action.equals("flag"));
    }
  }

  @Test
  @DisplayName("moderation: answers are moderated if the section switches it on")
  void answers() {
    String sections =
        sectionsWithSite()
            .replace(
                "\"action\": \"flag\", \"answers\": false",
                "\"action\": \"redact\", \"answers\": true");
    upstream.answerNextWith(Script.answer("Write to ann@example.com today."));
    HttpResponse<String> response =
        post(sections, request("Whom may I ask?", ",'plugins':[{'id':'moderation'}]"));
    assertThat(response.body()).contains("Write to").doesNotContain("ann@example.com");
  }

  @Test
  @DisplayName("fusion: the models of a preset are asked")
  void fusion() {
    upstream.script("large", Script.answer("Large."));
    upstream.script("small", Script.answer("Small."));
    upstream.answerNextWith(Script.builder().text("").toolCall("c1", "fusion", "{}").build());
    String body =
        request("Shall we?", ",'plugins':[{'id':'fusion','preset':'general-high','tools':[]}]");
    assertThat(post(sectionsWithSite(), body).statusCode()).isEqualTo(200);
    assertThat(upstream.received())
        .extracting(
            receivedRequest ->
                DialectClient.json(receivedRequest.text().replace('\'', ' '))
                    .path("model")
                    .asText())
        .contains("large", "small");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "\"search\":{\"default\":7,\"engines\":[{\"name\":\"a\",\"kind\":\"exa\"}]} |"
            + " /search/default: must be a string",
        "\"search\":{\"engines\":[{\"name\":\"a\",\"kind\":\"exa\"}],\"x\":1} |"
            + " /search/engines/0/api_key: is required",
        "\"search\":{\"engines\":[],\"x\":1} | /search/x: is not a setting; allowed: default,"
            + " engines",
        "\"fetch\":{\"max_bytes\":0} | /fetch/max_bytes: must be a whole number from 1 to",
        "\"fetch\":{\"timeout_ms\":\"1\"} | /fetch/timeout_ms: must be a whole number from 1 to",
        "\"files\":{\"max_pages\":-1} | /files/max_pages: must be a whole number from 1 to",
        "\"files\":{\"ocr\":[{}]} | /files/ocr/0/url: is required",
        "\"moderation\":{\"action\":\"hide\"} | /moderation/action: must be one of flag, redact,"
            + " block",
        "\"moderation\":{\"answers\":1} | /moderation/answers: must be true, false or an object",
        "\"moderation\":{\"patterns\":[{\"name\":\"a\"}]} | /moderation/patterns/0/pattern: is"
            + " required",
        "\"fusion\":{\"presets\":{\"general_high\":{}}} | /fusion/presets/general_high: is"
            + " not a preset of fusion; the presets are general-high",
        "\"fusion\":{\"presets\":{\"general-fast\":{\"model\":\"acme/large\"}}} |"
            + " /fusion/presets/general-fast/analysis_models: is required",
      })
  @DisplayName("are refused with the path of the wrong member")
  void refused(String sections, String problem) {
    try (PluginDirectory none = PluginDirectory.none(ambient)) {
      assertThat(RunningGateway.problems(config(sections), none, ambient))
          .anySatisfy(one -> assertThat(one.toString()).startsWith(problem));
    }
  }

  @Test
  @DisplayName("do not reveal a secret of the wrong type in messages")
  void secrets() {
    String sections =
        "\"search\":{\"engines\":[{\"name\":\"a\",\"kind\":\"exa\",\"api_key\":{\"hidden\":\"word\"}}]}";
    try (PluginDirectory none = PluginDirectory.none(ambient)) {
      assertThat(RunningGateway.problems(config(sections), none, ambient).toString())
          .contains("/search/engines/0/api_key")
          .doesNotContain("hidden");
    }
    assertThatThrownBy(() -> RunningGateway.open(config(sections), ambient))
        .hasMessageContaining("/search/engines/0/api_key")
        .hasMessageNotContaining("hidden");
  }
}
