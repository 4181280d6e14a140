package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests fetching with the whole program on loopback, which here may connect to 127.0.0.1 only. */
@DisplayName("A page that is fetched for a model over HTTP")
class FetchingTest {
  private static final String CONFIG =
      """
      {"providers":[
         {"slug":"chat","protocol":"openai-chat","base_url":"UPSTREAM","api_key":"sk-up"},
         {"slug":"messages","protocol":"anthropic-messages","base_url":"UPSTREAM","api_key":"sk-up"}],
       "models":[
         {"id":"acme/chat","endpoints":[{"provider":"chat","upstream_model":"large",
           "pricing":{"prompt":"0.000001","completion":"0.000002"}}]},
         {"id":"acme/messages","endpoints":[{"provider":"messages","upstream_model":"large",
           "pricing":{"prompt":"0.000001","completion":"0.000002"}}]}],
       "network":{"allow_private":["127.0.0.1"]},
       "keys":[{"name":"one","key":"sk-one"}]}
      """;

  private final Ambient ambient = new SystemAmbient();
  private final TestAmbient siteAmbient = TestAmbient.realTime();
  private final List<String> siteRequests = Collections.synchronizedList(new ArrayList<>());
  private final HttpClient httpClient = HttpClient.newHttpClient();
  private SimulatedUpstream upstream;
  private RawUpstream site;
  private RunningGateway running;
  private HttpHost host;

  @BeforeEach
  void start() throws IOException {
    upstream = SimulatedUpstream.start(ambient);
    site =
        RawUpstream.start(
            siteAmbient,
            false,
            connection -> {
              String head = connection.readHead();
              siteRequests.add(head);
              connection.write(answer(head.split(" ")[1]));
              connection.end();
            });
    var config =
        new ConfigReader(new JacksonCodec(), name -> null)
            .read(
                CONFIG
                    .replace("UPSTREAM", upstream.baseUri().toString())
                    .getBytes(StandardCharsets.UTF_8))
            .orThrow();
    running = RunningGateway.open(config, ambient);
    host =
        HttpHost.start(
            running.gateway().wire()::handle,
            new HttpHost.Settings("127.0.0.1", 0, 1 << 20, Duration.ofMillis(200)),
            ambient);
  }

  @AfterEach
  void stop() {
    httpClient.close();
    host.close();
    running.close();
    upstream.close();
    site.close();
    siteAmbient.assertNoThreadsLeft();
  }

  private static byte[] answer(String path) {
    return switch (path) {
      case "/page" ->
          page(
              "200 OK",
              "Content-Type: text/html",
              "<title>T</title><p>It rains.".getBytes(StandardCharsets.UTF_8));
      case "/pdf" ->
          page(
              "200 OK",
              "Content-Type: application/pdf",
              "%PDF-1.7".getBytes(StandardCharsets.UTF_8));
      case "/private" -> page("302 Found", "Location: http://127.0.0.2:1/", new byte[0]);
      case "/metadata" -> page("302 Found", "Location: http://169.254.169.254/", new byte[0]);
      case "/mapped" -> page("302 Found", "Location: http://[::ffff:a00:1]/", new byte[0]);
      case "/bomb" ->
          page("200 OK", "Content-Type: text/html\r\nContent-Encoding: gzip", gzipBomb(64 << 20));
      default -> page("404 Not Found", "X-A: b", new byte[0]);
    };
  }

  private static byte[] page(String status, String headers, byte[] body) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(
        "HTTP/1.1 %s\r\n%s\r\nContent-Length: %d\r\n\r\n"
            .formatted(status, headers, body.length)
            .getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(body);
    return all.toByteArray();
  }

  private static byte[] gzipBomb(int size) {
    var out = new ByteArrayOutputStream();
    try (var to = new GZIPOutputStream(out)) {
      to.write(new byte[size]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static Script fetch(String url) {
    return Script.builder()
        .text("")
        .toolCall("call_1", "web_fetch", "{\"url\":\"" + url + "\"}")
        .build();
  }

  private static ObjectNode request(DialectClient client) {
    DialectUpstream upstream =
        client == DialectClient.MESSAGES ? DialectUpstream.MESSAGES : DialectUpstream.CHAT;
    ObjectNode request = client.hello(upstream);
    if (client == DialectClient.MESSAGES) {
      request.put("max_tokens", 1000);
    }
    return request;
  }

  private String post(DialectClient client, ObjectNode body) {
    var request =
        HttpRequest.newBuilder(URI.create(host.uri() + client.path))
            .header("authorization", "Bearer sk-one")
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    try {
      HttpResponse<String> answer = httpClient.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes a model fetch a page, and returns the request that follows. */
  private String requestAfterFetch(DialectClient client, String url) {
    upstream.answerNextWith(fetch(url)).answerNextWith(Script.answer("Done."));
    ObjectNode request = request(client);
    request.withArray("tools").add(DialectClient.json("{'type':'router:web_fetch'}"));
    assertThat(post(client, request)).contains("Done.");
    return upstream.last().text();
  }

  private String at(String path) {
    return site.baseUri() + path;
  }

  @ParameterizedTest
  @EnumSource(names = {"CHAT", "MESSAGES"})
  @DisplayName(
      "is sent to the model as text, by the tool and by the plugin; if it cannot be read, the"
          + " reason is sent")
  void pages(DialectClient client) {
    assertThat(requestAfterFetch(client, at("/page"))).contains("It rains.", "completed");
    assertThat(requestAfterFetch(client, at("/pdf"))).contains("no PDF document", "failed");
    assertThat(requestAfterFetch(client, at("/bomb"))).contains("more than 5242880 bytes");
    upstream.answerNextWith(fetch(at("/page"))).answerNextWith(Script.answer("Done."));
    ObjectNode request = request(client);
    request.withArray("plugins").add(DialectClient.json("{'id':'web-fetch'}"));
    assertThat(post(client, request)).contains("Done.");
    assertThat(upstream.last().text()).contains("It rains.");
    assertThat(siteRequests).hasSize(4).allSatisfy(head -> assertThat(head).doesNotContain("sk-"));
  }

  @ParameterizedTest
  @EnumSource(names = {"CHAT", "MESSAGES"})
  @DisplayName("is sent as the result of a tool, and occurs in no instruction and in no other text")
  void resultOnly(DialectClient client) {
    JsonNode sent = DialectClient.parse(requestAfterFetch(client, at("/page")));
    List<JsonNode> others = new ArrayList<>();
    List<JsonNode> results = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : sent.properties()) {
      if (!member.getKey().equals("messages")) {
        others.add(member.getValue());
      }
    }
    for (JsonNode message : sent.path("messages")) {
      if (message.path("role").asText().equals("tool")) {
        results.add(message);
      } else if (message.path("content").isArray()) {
        for (JsonNode block : message.path("content")) {
          (block.path("type").asText().equals("tool_result") ? results : others).add(block);
        }
      } else {
        others.add(message);
      }
    }
    assertThat(results).singleElement().asString().contains("It rains.");
    assertThat(others).isNotEmpty().noneMatch(other -> other.toString().contains("It rains."));
  }

  @ParameterizedTest
  @EnumSource(names = {"CHAT", "MESSAGES"})
  @DisplayName("is not read at an address that is not permitted, nor through a redirect to one")
  void addresses(DialectClient client) {
    String port = site.baseUri().toString().replaceAll(".*:", ":");
    for (String url :
        List.of(
            at("/private"),
            at("/metadata"),
            at("/mapped"),
            "http://127.0.0.3" + port + "/page",
            "http://[::ffff:7f00:3]" + port + "/page")) {
      assertThat(requestAfterFetch(client, url))
          .as(url)
          .contains("failed", "not at a public address");
    }
    assertThat(siteRequests).hasSize(3);
  }
}
