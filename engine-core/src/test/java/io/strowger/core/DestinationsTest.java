package io.strowger.core;

import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.config.SecretKey;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

@DisplayName("An observability destination")
class DestinationsTest {
  private static final String PATH = "/observability/destinations";
  private static final String SECRET = "key-0123456789-tail";
  private static final SecretKeySource KEY = () -> SecretKey.of(new byte[32]);
  private static final String GRAFANA =
      "{'name':'g','type':'grafana','config':{'apiKey':'" + SECRET + "','instanceId':'7'}}";

  private final TestAmbient ambient = TestAmbient.at(TestServer.NOW);
  private final MemoryStores stores = new MemoryStores();
  private final TestServer server = new TestServer("", stores, ambient, KEY);

  @AfterEach
  void noThreads() {
    server.close();
    ambient.assertNoThreadsLeft();
  }

  private Answer create(String body) {
    Answer created = server.manage("POST", PATH, body);
    assertThat(created.message()).isEmpty();
    assertThat(created.status()).isEqualTo(201);
    return created;
  }

  private Answer createWebhook(String members) {
    return create(
        "{'name':'h','type':'webhook','config':{'url':'http://hook.test'}" + members + "}");
  }

  private Answer patch(Answer created, String body) {
    return server.manage("PATCH", PATH + "/" + created.text("id"), body);
  }

  @Proves({
    "destination.*",
    "operation.destinations.get",
    "authentication.5",
    "resources.operation.destinations"
  })
  @Test
  @DisplayName("is stored with the defaults of the contract, and shown with masked secrets")
  void created() {
    Answer created = create(GRAFANA);
    assertThat(created.text("id")).matches("[0-9a-f]{8}-[0-9a-f]{4}-.*");
    assertThat(created.data().without("id"))
        .isEqualTo(
            TestServer.json(
                """
                {'name':'g','type':'grafana','config':{'apiKey':'key-...tail','instanceId':'7',
                   'baseUrl':'https://otlp-gateway-prod-us-west-0.grafana.net'},
                 'enabled':true,'privacy_mode':false,'sampling_rate':1,'filter_rules':null,
                 'api_key_hashes':null,'broadcast_generation_cost':false,
                 'broadcast_generation_identity':false,
                 'broadcast_generation_request_context':false,'workspace_id':'%s',
                 'created_at':'%s','updated_at':'%s'}\
                """
                    .formatted(DefaultWorkspace.ID, TestServer.NOW, TestServer.NOW)));
    assertThat(server.get(PATH + "/" + created.text("id")).body()).isEqualTo(created.body());
    assertThat(server.get(PATH).list()).containsExactly(created.data());
    assertThat(server.get("/audit-log").body().toString()).doesNotContain(SECRET);
    assertThat(stores.documents().find("destination", created.text("id")))
        .satisfies(document -> assertThat(document.body().toString()).doesNotContain(SECRET));
  }

  @Proves({
    "destination.enabled",
    "destination.privacy_mode",
    "destination.sampling_rate",
    "destination.filter_rules",
    "destination.api_key_hashes",
    "destination.broadcast_generation_cost",
    "destination.broadcast_generation_identity",
    "destination.broadcast_generation_request_context"
  })
  @Test
  @DisplayName("is shown with every member it was created with")
  void whole() {
    String hash = "a".repeat(64);
    Json.Obj shown =
        createWebhook(
                ",'enabled':false,'privacy_mode':true,'sampling_rate':0.25,"
                    + "'filter_rules':{'groups':["
                    + "{'logic':'or','rules':[{'field':'model','operator':'equals','value':'m'},"
                    + "{'field':'user_id','operator':'exists'}]}]},'api_key_hashes':['"
                    + hash
                    + "'],'broadcast_generation_cost':true,'broadcast_generation_identity':true,"
                    + "'broadcast_generation_request_context':true")
            .data();
    assertThat(shown.get("sampling_rate")).isEqualTo(TestServer.json("{'a':0.25}").get("a"));
    assertThat(shown.get("filter_rules"))
        .isEqualTo(
            TestServer.json(
                "{'enabled':true,'groups':[{'logic':'or','rules':[{'field':'model','operator':"
                    + "'equals','value':'m'},{'field':'user_id','operator':'exists'}]}]}"));
    assertThat(shown.get("api_key_hashes")).isEqualTo(Json.array(Json.of(hash)));
    for (String flag :
        List.of(
            "privacy_mode",
            "broadcast_generation_cost",
            "broadcast_generation_identity",
            "broadcast_generation_request_context")) {
      assertThat(shown.get(flag)).as(flag).isEqualTo(Json.TRUE);
    }
    assertThat(shown.get("enabled")).isEqualTo(Json.FALSE);
  }

  @Proves({"destination.name", "destination.times", "resources.destination.patch"})
  @Test
  @DisplayName("keeps members that a change omits, and secrets that it repeats in masked form")
  void changed() {
    Answer created =
        create(GRAFANA.replace("'7'}", "'7','headers':{'A':'header-0123456','B':'b'}}"));
    ambient.advance(Duration.ofSeconds(1));
    Answer changed =
        patch(
            created,
            "{'name':'n','config':{'apiKey':'key-...tail','instanceId':'8',"
                + "'headers':{'A':'head...3456','C':'c'}}}");
    assertThat(changed.message()).isEmpty();
    Json.Obj config = Objects.requireNonNull(changed.data().object("config"));
    assertThat(changed.text("name")).isEqualTo("n");
    assertThat(config.text("apiKey")).isEqualTo("key-...tail");
    assertThat(config.text("instanceId")).isEqualTo("8");
    assertThat(config.get("headers")).isEqualTo(TestServer.json("{'A':'head...3456','C':'***'}"));
    assertThat(changed.text("created_at")).isEqualTo(TestServer.NOW);
    assertThat(changed.text("updated_at")).isEqualTo("2026-11-21T12:00:01Z");
    // the stored secret has not changed
    assertThat(server.ask(APP, "acme/small").status()).isEqualTo(200);
    assertThat(nextSentKey()).isEqualTo(SECRET);
    patch(created, "{'config':{'apiKey':'another-0123456789'}}");
    server.ask(APP, "acme/small");
    assertThat(nextSentKey()).isEqualTo("another-0123456789");
  }

  private String nextSentKey() {
    try {
      return String.valueOf(server.destinations.nextRequest().headers().get("X-Key"));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Proves("resources.destination.patch")
  @Test
  @DisplayName("loses its filter rules or key list by null; other members cannot be null")
  void cleared() {
    Answer created =
        createWebhook(",'filter_rules':{'groups':[]},'api_key_hashes':['" + "a".repeat(64) + "']");
    Answer cleared = patch(created, "{'filter_rules':null,'api_key_hashes':null}");
    assertThat(cleared.data().get("filter_rules")).isEqualTo(Json.NULL);
    assertThat(cleared.data().get("api_key_hashes")).isEqualTo(Json.NULL);
    assertThat(patch(created, "{'name':null}").status()).isEqualTo(400);
    assertThat(patch(created, "{'api_key_hashes':[]}").status()).isEqualTo(400);
    assertThat(patch(created, "{'config':{'url':'nowhere'}}").message())
        .contains("/config/url: must be an absolute http or https URL");
  }

  @Test
  @DisplayName("neither stores nor shows a member of its config that its type does not have")
  void unknownMembers() {
    Answer created = create(GRAFANA.replace("'7'}", "'7','api_key':'sk-typo'}"));
    assertThat(created.body().toString()).doesNotContain("sk-typo");
    Answer changed = patch(created, "{'config':{'token':'sk-typo'}}");
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.body().toString()).doesNotContain("sk-typo");
    assertThat(stores.documents().find("destination", created.text("id")))
        .satisfies(document -> assertThat(document.body().toString()).doesNotContain("sk-typo"));
  }

  @Test
  @DisplayName("is refused with a masked secret in place of a new one")
  void shownSecrets() {
    Answer created = server.manage("POST", PATH, GRAFANA.replace(SECRET, "key-...tail"));
    assertThat(created.status()).isEqualTo(400);
    assertThat(created.message()).contains("/config/apiKey: must be the secret itself");
    assertThat(patch(create(GRAFANA), "{'config':{'headers':{'New':'head...3456'}}}").message())
        .contains("/config/headers/New: must be the secret itself");
  }

  @Test
  @DisplayName("requires its secrets again for a change to another host, but not on the same host")
  void moved() {
    Answer created = create(GRAFANA.replace("'7'}", "'7','headers':{'A':'header-0123456'}}"));
    Answer moved = patch(created, "{'config':{'baseUrl':'https://evil.test'}}");
    assertThat(moved.status()).isEqualTo(400);
    assertThat(moved.message())
        .contains("/config/apiKey: must be given again", "/config/headers/A: must be given again")
        .doesNotContain(SECRET);
    assertThat(
            patch(
                    created,
                    "{'config':{'baseUrl':'https://evil.test','apiKey':'key-...tail',"
                        + "'headers':{'A':'head...3456'}}}")
                .status())
        .isEqualTo(400);
    String home = "https://otlp-gateway-prod-us-west-0.grafana.net";
    assertThat(patch(created, "{'config':{'baseUrl':'" + home + "/other'}}").status())
        .isEqualTo(200);
    assertThat(
            patch(
                    created,
                    "{'config':{'baseUrl':'https://new.test','apiKey':'another-0123456789',"
                        + "'headers':null}}")
                .status())
        .isEqualTo(200);
  }

  @Test
  @DisplayName("loses an optional member of its config by null, or gets the default back")
  void clearedMembers() {
    Answer created = create(GRAFANA.replace("'7'}", "'7','headers':{'A':'a'}}"));
    Json.Obj config =
        Objects.requireNonNull(
            patch(created, "{'config':{'headers':null,'baseUrl':null}}").data().object("config"));
    assertThat(config.has("headers")).isFalse();
    assertThat(config.text("baseUrl")).isEqualTo("https://otlp-gateway-prod-us-west-0.grafana.net");
    assertThat(patch(created, "{'config':{'instanceId':null}}").status()).isEqualTo(400);
  }

  @Proves({"operation.destinations.errors", "resources.operation.destinations"})
  @Test
  @DisplayName("is not found after its deletion, and its secrets are erased")
  void deleted() {
    Answer created = create(GRAFANA);
    String path = PATH + "/" + created.text("id");
    assertThat(server.manage("DELETE", path, "").body())
        .isEqualTo(TestServer.json("{'deleted':true}"));
    assertThat(server.get(path).status()).isEqualTo(404);
    assertThat(server.manage("DELETE", path, "").status()).isEqualTo(404);
    assertThat(patch(created, "{'name':'x'}").status()).isEqualTo(404);
    assertThat(server.manage("POST", path + "/test", "").status()).isEqualTo(404);
    assertThat(server.get(PATH).list()).isEmpty();
    assertThat(stores.documents().find("destination", created.text("id")))
        .satisfies(
            document ->
                assertThat(document.body())
                    .isEqualTo(TestServer.json("{'name':'g','type':'grafana'}")));
    server.ask(APP, "acme/small");
    assertThat(server.gateway.destinations()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'carrier-pigeon'} | carrier-pigeon",
        "{'filter_rules':{'groups':[{'rules':[{'field':'model','operator':'rhymes'}]}]}} | grafana",
      },
      quoteCharacter = '"')
  @DisplayName("that this version cannot read is suspended, with one warning that names its type")
  void unreadable(String members, String type) {
    String id = create(GRAFANA).text("id");
    Document readable = Objects.requireNonNull(stores.documents().find("destination", id));
    Json.Obj newer = readable.body();
    Json.Obj changes = TestServer.json(members);
    for (int i = 0; i < changes.size(); i++) {
      newer = newer.with(changes.name(i), changes.value(i));
    }
    write(readable.next(ambient.now(), newer));
    try (RecordedLog.Recording log = RecordedLog.record();
        var older = new TestServer("", stores, ambient, KEY)) {
      assertThat(older.gateway.destinations()).isEmpty();
      assertThat(older.get(PATH).list()).isEmpty();
      assertThat(older.get(PATH + "/" + id).status()).isEqualTo(404);
      assertThat(older.manage("PATCH", PATH + "/" + id, "{'name':'n'}").status()).isEqualTo(404);
      assertThat(log.linesWith(id))
          .satisfiesExactly(
              line -> {
                assertThat(line.level()).isEqualTo(Level.WARN);
                assertThat(line.text())
                    .startsWith("destination " + id + " of type " + type + " cannot be read")
                    .doesNotContain(SECRET);
                assertThat(line.thrown()).isInstanceOf(IllegalArgumentException.class);
                assertThat(line.thrown()).asString().doesNotContain(SECRET);
              });
    }
  }

  /** Writes a destination document that another version of the gateway could have written. */
  private void write(Document document) {
    assertThat(stores.documents().write(List.of(new Write.Replace(document)))).isTrue();
  }

  @Proves("resources.destination.create")
  @Test
  @DisplayName("can be created at most five times for each type and workspace")
  void most() {
    var created = new ArrayList<Answer>();
    for (int i = 0; i < 5; i++) {
      created.add(createWebhook(""));
    }
    Answer sixth =
        server.manage(
            "POST", PATH, "{'name':'h','type':'webhook','config':{'url':'http://hook.test'}}");
    assertThat(sixth.status()).isEqualTo(409);
    assertThat(sixth.message()).contains("5 destinations of type webhook");
    create(GRAFANA);
    String other = server.manage("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    createWebhook(",'workspace_id':'" + other + "'");
    server.manage("DELETE", PATH + "/" + created.get(2).text("id"), "");
    createWebhook("");
  }

  @Proves("resources.operation.destinations")
  @Test
  @DisplayName(
      "is listed in pages, newest first, and by workspace; it is deleted with its workspace")
  void listed() {
    String other = server.manage("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    createWebhook("");
    ambient.advance(Duration.ofSeconds(1));
    Answer second = createWebhook(",'workspace_id':'" + other + "'");
    ambient.advance(Duration.ofSeconds(1));
    Answer third = create(GRAFANA);
    Answer page = server.get(PATH + "?limit=2");
    assertThat(page.list()).containsExactly(third.data(), second.data());
    assertThat(page.body().get("total_count")).isEqualTo(Json.of(3));
    assertThat(server.get(PATH + "?workspace_id=" + other).list()).containsExactly(second.data());
    assertThat(server.get(PATH + "?workspace_id=x").status()).isEqualTo(400);
    assertThat(server.manage("DELETE", "/workspaces/" + other, "").status()).isEqualTo(200);
    assertThat(server.get(PATH + "/" + second.text("id")).status()).isEqualTo(404);
    assertThat(server.get(PATH).list()).hasSize(2);
    assertThat(server.gateway.destinations()).hasSize(2);
  }

  @Proves("operation.destinations.get")
  @ParameterizedTest
  @ValueSource(strings = {"", "/00000000-0000-4000-8000-000000000009"})
  @DisplayName("can be managed only with a management key")
  void management(String path) {
    Answer answer = server.send(APP, "GET", PATH + path, "");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.message()).isEqualTo("Only management keys can perform this operation");
  }

  @Test
  @DisplayName("is refused if its address is unusable or no secret key is configured")
  void refused() {
    Answer unusable =
        server.manage(
            "POST", PATH, "{'name':'h','type':'webhook','config':{'url':'http://unusable.test'}}");
    assertThat(unusable.status()).isEqualTo(400);
    assertThat(unusable.message()).contains("url leads nowhere");
    try (var keyless =
        new TestServer("", new MemoryStores(), TestAmbient.at(TestServer.NOW), () -> null)) {
      Answer answer = keyless.manage("POST", PATH, GRAFANA);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.message()).contains("store.secret_key").doesNotContain(SECRET);
    }
    Gateway withoutExporters =
        Gateway.builder(TestServer.config("")).ambient(ambient).allowMissingParts().build();
    withoutExporters.close();
    assertThat(server.get(PATH).list()).isEmpty();
  }

  @Test
  @DisplayName("of the configuration file is refused at the start if its exporter is missing")
  void withoutExporter() {
    var config =
        TestServer.config(
            "'observability_destinations':[{'id':'d','name':'n','type':'webhook',"
                + "'config':{'url':'http://hook.test'}}]");
    assertThatThrownBy(() -> Gateway.builder(config).ambient(ambient).build())
        .hasMessageContaining("/observability_destinations/0")
        .hasMessageContaining("strowger-destinations");
  }

  @Proves("resources.destination.test")
  @Test
  @DisplayName("can be tested: the test passes with 2xx, for a webhook also with 400")
  void tested() throws InterruptedException {
    Answer webhook = createWebhook(",'enabled':false");
    Answer grafana = create(GRAFANA);
    String path = PATH + "/" + webhook.text("id") + "/test";
    assertThat(server.manage("POST", path, "").data())
        .isEqualTo(
            TestServer.json(
                "{'passed':true,'status':200,'message':'the destination answered 200'}"));
    assertThat(server.destinations.nextRequest().headers())
        .containsEntry("X-Test-Connection", "true");
    server.destinations.then(400).then(400).then(401).then(0);
    assertThat(server.manage("POST", path, "").data().get("passed")).isEqualTo(Json.TRUE);
    Answer bad = server.manage("POST", PATH + "/" + grafana.text("id") + "/test", "");
    assertThat(bad.data().get("passed")).isEqualTo(Json.FALSE);
    assertThat(server.manage("POST", path, "").data().get("passed")).isEqualTo(Json.FALSE);
    Answer none = server.manage("POST", path, "");
    assertThat(none.data())
        .isEqualTo(
            TestServer.json("{'passed':false,'status':null,'message':'no answer (IOException)'}"));
    assertThat(server.gateway.destinations()).allMatch(counts -> counts.delivered() == 0);
  }
}
