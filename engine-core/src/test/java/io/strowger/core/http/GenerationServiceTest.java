package io.strowger.core.http;

import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("/generation")
class GenerationServiceTest {
  private static final String CONFIG =
      """
      { 'providers': [ { 'slug': 'alpha', 'name': 'Alpha', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:1' },
                       { 'slug': 'beta', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:1', 'region': 'eu' } ],
        'models': [ { 'id': 'acme/one', 'endpoints': [
            { 'provider': 'alpha', 'pricing': { 'prompt': '0.000001', 'completion': '0.000002' }, 'input_modalities': [ 'text', 'image' ] },
            { 'provider': 'beta', 'pricing': { 'prompt': '0.000003', 'completion': '0.000004', 'input_cache_read': '0.000001',
                                               'input_cache_write': '0.000004' }, 'input_modalities': [ 'text', 'image' ] } ] } ],
        'account': { 'io_logging': LOGGING },
        'keys': [ { 'name': 'app', 'key': 'sk-app-0123456789', 'management': false },
                  { 'name': 'other', 'key': 'sk-other-0123456789', 'management': false },
                  { 'name': 'admin', 'key': 'sk-admin-0123456789', 'management': true } ] }
      """
          .replace('\'', '"');
  private static final String ASK =
      "'session_id':'s1','user':'u1','provider':{'order':['alpha','beta']},"
          + "'messages':[{'role':'user','content':[{'type':'text','text':'hi'},"
          + "{'type':'image_url','image_url':{'url':'https://example.com/cat.png'}}]}]}";

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Map<String, ScriptedProvider> providers = new HashMap<>();
  private final MemoryStores stores = new MemoryStores();
  private Gateway gateway = gateway(false);

  private Gateway gateway(boolean logging) {
    return gateway(CONFIG.replace("LOGGING", Boolean.toString(logging)));
  }

  private Gateway gateway(String config) {
    return Gateway.builder(
            ConfigReader.standard().read(config.getBytes(StandardCharsets.UTF_8)).orThrow())
        .provider(
            new ProviderFactory() {
              @Override
              public String protocol() {
                return "openai-chat";
              }

              @Override
              public ChatProvider create(ProviderSettings settings) {
                var script = new ScriptedProvider(ambient);
                providers.put(settings.slug(), script);
                return script;
              }
            })
        .stores(stores)
        .ambient(ambient)
        .build();
  }

  @AfterEach
  void close() {
    gateway.close();
  }

  private ScriptedProvider provider(String slug) {
    return Objects.requireNonNull(providers.get(slug));
  }

  private WireResponse send(String method, String path, String query, String key, String body) {
    Map<String, String> headers =
        Map.of(
            "authorization", "Bearer " + key,
            "http-referer", "https://app.example:8443/page?x=1",
            "x-title", "My app",
            "x-router-categories", "Chat, cli-agent,,third,NOT ok",
            "user-agent", "tests/1");
    return gateway
        .wire()
        .handle(
            new WireRequest(
                method,
                path,
                query,
                name -> headers.get(name.toLowerCase(java.util.Locale.ROOT)),
                new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                new Cancellation()));
  }

  private String ask(String members) {
    WireResponse response =
        send("POST", "/chat/completions", "", "sk-app-0123456789", "{" + members + ASK);
    TestHttpApi.text(response);
    return Objects.requireNonNull(response.headers().get("X-Generation-Id"));
  }

  private Json.Obj record(String id) {
    WireResponse response = send("GET", "/generation", "id=" + id, "sk-other-0123456789", "");
    assertThat(response.status()).isEqualTo(200);
    return Objects.requireNonNull(TestHttpApi.json(response).object("data"));
  }

  private void scriptFallbackToBeta() {
    provider("alpha").refuses(Failure.of(FailureKind.UNAVAILABLE, "down"));
    provider("beta")
        .streams(
            emit(new Event.Started(TestHttpApi.json("{\"id\":\"up-1\"}"))),
            emit(new Event.ReasoningDelta(Json.of("hm"), null)),
            text("hello"),
            text(" you"),
            emit(
                new Event.UsageReport(
                    Usage.builder()
                        .freshInput(10)
                        .cacheRead(100)
                        .cacheWrite5m(20)
                        .outputText(5)
                        .reasoning(2)
                        .build(),
                    null)),
            emit(new Event.Finished(StopReason.LENGTH, "max_len", null)));
  }

  private static Json.Obj citation(String url) {
    Json.Obj page = Json.object().put("url", url).build();
    return Json.object().put("type", "url_citation").put("url_citation", page).build();
  }

  @Proves("resources.record.generation")
  @Test
  @DisplayName(
      "shows a provider's own searches: the engine, and the number of pages that the answer cites")
  void searches() {
    provider("alpha")
        .streams(
            text("hello"),
            emit(new Event.Annotation(citation("https://a.test/1"), null)),
            emit(new Event.Annotation(citation("https://a.test/2"), null)),
            emit(new Event.Annotation(citation("https://a.test/1"), null)),
            emit(
                new Event.UsageReport(
                    Usage.builder().freshInput(10).outputText(1).searches(2).build(), null)),
            emit(new Event.Finished(StopReason.END, "stop", null)));
    Json.Obj record = record(ask("'model':'acme/one','stream':true,"));
    assertThat(record.text("web_search_engine")).isEqualTo("native");
    assertThat(record.get("num_search_results")).isEqualTo(Json.of(2));
    assertThat(record.get("num_fetches")).isEqualTo(Json.NULL);
  }

  @Proves("resources.record.generation")
  @Test
  @DisplayName("shows, for a BYOK key, the cost that its owner pays the upstream, like the answer")
  void byokCost() {
    gateway.close();
    gateway =
        gateway(
            CONFIG
                .replace("LOGGING", "false")
                .replace("\"0.000002\"", "\"0.000002\", \"web_search\": \"0.01\"")
                .replace(
                    "\"keys\"",
                    "\"byok_keys\": [{\"id\": \"k1\", \"provider\": \"alpha\", \"key\": \"own\"}],"
                        + " \"keys\""));
    Usage usage = Usage.builder().freshInput(10).outputText(1).searches(2).build();
    provider("alpha")
        .answers(
            new Answer(
                List.of(new Part.Text("hello")),
                StopReason.END,
                "stop",
                usage,
                Dialect.CHAT,
                null));
    WireResponse response =
        send("POST", "/chat/completions", "", "sk-app-0123456789", "{'model':'acme/one'," + ASK);
    Json.Obj usageOfAnswer = Objects.requireNonNull(TestHttpApi.json(response).object("usage"));
    Json.Obj record = record(Objects.requireNonNull(response.headers().get("X-Generation-Id")));
    assertThat(usageOfAnswer.get("is_byok")).isEqualTo(Json.TRUE);
    assertThat(record.get("upstream_inference_cost"))
        .isEqualTo(new Usd(20_012_000).json())
        .isEqualTo(
            Objects.requireNonNull(usageOfAnswer.object("cost_details"))
                .get("upstream_inference_cost"));
  }

  @Proves({
    "resources.operation.generation",
    "resources.record.generation",
    "resources.error.attribution",
    "chat.header.attribution"
  })
  @Test
  @DisplayName("shows every field of the record of a request, each attempt included")
  void record() {
    scriptFallbackToBeta();
    String id = ask("'model':'acme/one','stream':true,");
    String expected =
        ("{'id':'ID','request_id':'ID','upstream_id':'up-1','session_id':'s1','preset_id':null,"
                + "'workspace_id':'00000000-0000-4000-8000-000000000001','app_id':null,"
                + "'model':'acme/one','router':null,'provider_name':'beta','provider_responses':["
                + "{'id':null,'endpoint_id':'acme/one@alpha','provider_name':'Alpha',"
                + "'model_permaslug':'acme/one','status':0,'latency':0,'is_byok':false,"
                + "'routed_service_tier':null,'cost':0},"
                + "{'id':'up-1','endpoint_id':'acme/one@beta','provider_name':'beta',"
                + "'model_permaslug':'acme/one','status':200,'latency':0,'is_byok':false,"
                + "'routed_service_tier':null,'cost':0.000238}],"
                + "'created_at':'2026-11-21T12:00:00Z',"
                + "'streamed':true,'cancelled':false,'finish_reason':'length',"
                + "'native_finish_reason':'max_len','api_type':'completions','data_region':'eu',"
                + "'service_tier':null,'is_byok':false,'latency':0,'moderation_latency':null,"
                + "'generation_time':0,'tokens_prompt':130,'tokens_completion':7,"
                + "'native_tokens_prompt':130,'native_tokens_completion':7,"
                + "'native_tokens_reasoning':2,'native_tokens_cached':100,"
                + "'native_tokens_completion_images':null,'num_media_prompt':1,"
                + "'num_media_completion':0,'num_input_audio_prompt':0,"
                + "'num_search_results':null,'num_fetches':null,'web_search_engine':null,"
                + "'total_cost':0.000238,'usage':0.000238,'upstream_inference_cost':0.000238,"
                + "'cache_discount':0.00018,'response_cache_source_id':null,"
                + "'origin':'https://app.example:8443',"
                + "'http_referer':'https://app.example:8443/page?x=1','app_title':'My app',"
                + "'app_categories':['chat','cli-agent'],'user_agent':'tests/1',"
                + "'external_user':'u1'}")
            .replace('\'', '"')
            .replace("ID", id);
    assertThat(new String(record(id).toBytes(), StandardCharsets.UTF_8)).isEqualTo(expected);
  }

  @Proves("open.12")
  @Test
  @DisplayName("keeps the first 256 characters of a longer user")
  void longUser() {
    provider("alpha").refuses(Failure.of(FailureKind.UNAVAILABLE, "down"));
    provider("beta").refuses(Failure.of(FailureKind.UNAVAILABLE, "down"));
    String body = "{'model':'acme/one'," + ASK.replace("u1", "u".repeat(100_000));
    WireResponse response = send("POST", "/chat/completions", "", "sk-app-0123456789", body);
    String id = Objects.requireNonNull(response.headers().get("X-Generation-Id"));
    assertThat(record(id).text("external_user")).isEqualTo("u".repeat(256));
  }

  @Test
  @DisplayName("shows a request that no endpoint answered, under the id that came with the error")
  void failed() {
    provider("alpha").refuses(new Failure(FailureKind.RATE_LIMITED, 429, -1, "slow"));
    provider("beta").refuses(Failure.of(FailureKind.UNAVAILABLE, "down"));
    Json.Obj record = record(ask("'model':'acme/one',"));
    assertThat(record.list("provider_responses")).hasSize(2);
    assertThat(record.text("finish_reason")).isEqualTo("error");
    assertThat(record.text("provider_name"))
        .as("the provider that was tried last")
        .isEqualTo("beta");
    assertThat(record.get("upstream_id")).isEqualTo(Json.NULL);
    assertThat(record.get("generation_time")).isEqualTo(Json.NULL);
    assertThat(record.get("latency")).isEqualTo(Json.NULL);
    assertThat(record.get("total_cost")).hasToString("0");
    assertThat(record.get("cancelled")).isEqualTo(Json.FALSE);
  }

  @Test
  @DisplayName("names the preset that a request was merged with")
  void preset() {
    WireResponse created =
        send(
            "POST",
            "/presets/s/responses",
            "",
            "sk-admin-0123456789",
            "{'model':'acme/one','input':'hi'}");
    Json.Obj preset = Objects.requireNonNull(TestHttpApi.json(created).object("data"));
    scriptFallbackToBeta();
    assertThat(record(ask("'preset':'s','stream':true,")).text("preset_id"))
        .isEqualTo(preset.text("id"));
  }

  @Proves("resources.operation.generation")
  @Test
  @DisplayName(
      "does not know a request that reached no provider, nor the records of another account")
  void unknown() {
    assertThat(status("/generation", ask("'model':'acme/none',"))).isEqualTo(404);
    assertThat(status("/generation", "gen-1")).isEqualTo(404);
    stores
        .generations()
        .save(
            new GenerationStore.Generation(
                "gen-2", "account:else", ambient.now(), bytes("{}"), bytes("{}")));
    assertThat(status("/generation", "gen-2")).isEqualTo(404);
    assertThat(status("/generation/content", "gen-2")).isEqualTo(404);
    WireResponse withoutId = send("GET", "/generation", "", "sk-app-0123456789", "");
    assertThat(withoutId.status()).isEqualTo(400);
    assertThat(TestHttpApi.message(withoutId)).contains("the query parameter id is required");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void save(String id, byte[] row) {
    String owner = "account:default";
    stores.generations().save(new GenerationStore.Generation(id, owner, ambient.now(), row, null));
  }

  @Test
  @DisplayName("shows a row of an earlier version, which stored the JSON itself")
  void earlier() {
    String workspace = "'workspace_id':'00000000-0000-4000-8000-000000000001'";
    String json = ("{'id':'gen-7'," + workspace + ",'tokens_prompt':3}").replace('\'', '"');
    save("gen-7", bytes(json));
    assertThat(record("gen-7").toString()).isEqualTo(json);
    save("gen-8", bytes("{}"));
    assertThat(status("/generation", "gen-8")).as("a row that names no workspace").isEqualTo(404);
    assertThat(readWithManagementKey("gen-8").status()).isEqualTo(200);
  }

  private WireResponse readWithManagementKey(String id) {
    return send("GET", "/generation", "id=" + id, "sk-admin-0123456789", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "\u0001", "\u0002later", "{\"a\":", "garbage"})
  @DisplayName("shows no unreadable row, and reveals only to management keys that there is one")
  void unreadable(String row) {
    save("gen-9", bytes(row));
    assertThat(status("/generation", "gen-9")).isEqualTo(404);
    assertThat(readWithManagementKey("gen-9").status()).isEqualTo(500);
  }

  private int status(String path, String id) {
    return send("GET", path, "id=" + id, "sk-app-0123456789", "").status();
  }

  @Proves("resources.record.generation.content")
  @Test
  @DisplayName("stores no content of requests and answers unless the account has logging on")
  void content() {
    scriptFallbackToBeta();
    String withoutLogging = ask("'model':'acme/one','stream':true,");
    assertThat(status("/generation/content", withoutLogging)).isEqualTo(404);
    assertThat(record(withoutLogging).toString()).doesNotContain("hello").doesNotContain("cat.png");
    gateway.close();
    gateway = gateway(true);
    scriptFallbackToBeta();
    String stored = ask("'model':'acme/one','stream':true,");
    WireResponse response =
        send("GET", "/generation/content", "id=" + stored, "sk-app-0123456789", "");
    assertThat(TestHttpApi.text(response))
        .isEqualTo(
            ("{'data':{'input':{'messages':[{'role':'user','content':["
                    + "{'type':'text','text':'hi'},{'type':'image','omitted':true}]}]},"
                    + "'output':{'completion':'hello you','reasoning':'hm'},'error':null}}")
                .replace('\'', '"'));
    assertThat(status("/generation/content", withoutLogging))
        .as("content that was not stored then")
        .isEqualTo(404);
  }

  @Proves("resources.record.generation.content")
  @Test
  @DisplayName(
      "stores the content of an answer that was not streamed, and the attempts of a failed request")
  void notStreamedAndFailed() {
    gateway.close();
    gateway = gateway(true);
    provider("alpha")
        .answers(
            new Answer(
                List.of(new Part.Text("fine")),
                StopReason.END,
                "stop",
                Usage.builder().freshInput(1).outputText(1).build(),
                Dialect.CHAT,
                TestHttpApi.json("{\"id\":\"up-2\"}")));
    String notStreamed = ask("'model':'acme/one',");
    assertThat(record(notStreamed).text("upstream_id")).isEqualTo("up-2");
    assertThat(content(notStreamed)).contains("\"completion\":\"fine\"");
    provider("alpha").refuses(new Failure(FailureKind.RATE_LIMITED, 429, -1, "slow"));
    provider("beta").refuses(Failure.of(FailureKind.UNAVAILABLE, "down"));
    assertThat(content(ask("'model':'acme/one',")))
        .contains("\"completion\":null")
        .contains("\"status\":503,\"provider_name\":\"beta\"")
        .contains("{\"provider_name\":\"Alpha\",\"status\":429,\"kind\":\"RATE_LIMITED\"}");
  }

  private String content(String id) {
    return TestHttpApi.text(
        send("GET", "/generation/content", "id=" + id, "sk-app-0123456789", ""));
  }

  @Proves("resources.record.generation.feedback")
  @Test
  @DisplayName("accepts feedback on an existing generation")
  void feedback() {
    scriptFallbackToBeta();
    String id = ask("'model':'acme/one','stream':true,");
    for (String comment :
        List.of(",'comment':'" + "x".repeat(1_000) + "'", "", ",'comment':null")) {
      WireResponse response =
          sendFeedback("{'generation_id':'" + id + "','category':'other'" + comment + "}");
      assertThat(TestHttpApi.text(response)).isEqualTo("{\"data\":{\"success\":true}}");
      assertThat(response.status()).isEqualTo(200);
    }
    var stored =
        stores
            .documents()
            .list(
                new DocumentStore.Filter(
                    "feedback", id, false, DocumentStore.Order.OLDEST_FIRST, 0, 10));
    assertThat(stored.total()).isEqualTo(3);
    assertThat(stored.documents().getFirst().body().text("creator_user_id"))
        .isEqualTo("user_default");
  }

  private WireResponse sendFeedback(String body) {
    return send("POST", "/generation/feedback", "", "sk-admin-0123456789", body);
  }

  @Proves("resources.record.generation.feedback")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'generation_id':'gen-1','category':'other'}|404|Resource not found",
        "{'category':'ugly','comment':5}|400|/generation_id: is required",
        "{'category':'ugly','comment':5}|400|/category: must be one of latency",
        "{'category':'ugly','comment':5}|400|/comment: must be a string",
      })
  @DisplayName("refuses wrong feedback with all of its problems")
  void wrong(String body, int status, String message) {
    WireResponse response = sendFeedback(body);
    assertThat(response.status()).isEqualTo(status);
    assertThat(TestHttpApi.message(response)).contains(message);
    String long1001 = "{'generation_id':'g','category':'other','comment':'" + "x".repeat(1_001);
    assertThat(sendFeedback(long1001 + "'}").status()).isEqualTo(400);
    assertThat(send("POST", "/generation/feedback", "", "sk-app-0123456789", body).status())
        .isEqualTo(403);
  }
}
