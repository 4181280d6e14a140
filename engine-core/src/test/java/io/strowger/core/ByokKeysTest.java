package io.strowger.core;

import static io.strowger.core.TestServer.ADMIN;
import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.config.SecretKey;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.json.Json;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A BYOK key")
class ByokKeysTest {
  private static final String SECRET = "sk-own-0123456789abcdefghij";
  private static final String BETA = "{'provider':'beta','key':'" + SECRET + "'}";
  private static final SecretKeySource KEY = () -> SecretKey.of(new byte[32]);

  private final TestAmbient ambient = TestAmbient.at(TestServer.NOW);
  private final MemoryStores stores = new MemoryStores();
  private final TestServer server = new TestServer("", stores, ambient, KEY);

  @AfterEach
  void noThreads() {
    server.close();
    ambient.assertNoThreadsLeft();
  }

  private Answer create(String body) {
    Answer created = server.manage("POST", "/byok", body);
    assertThat(created.message()).isEmpty();
    assertThat(created.status()).isEqualTo(201);
    return created;
  }

  private static String betaWith(String members) {
    return BETA.replace("}", "," + members + "}");
  }

  private String askAndGetUpstream(String model) {
    assertThat(server.ask(APP, model).status()).isEqualTo(200);
    return server.lastUpstream();
  }

  @Proves("routing.byok.attributes")
  @Test
  @DisplayName("is stored with all its members; the key itself is encrypted and shown only masked")
  void created() {
    Answer created =
        create(
            betaWith(
                "'name':'mine','is_fallback':true,'sort_order':3,'always_use':true,"
                    + "'allowed_models':['acme/small'],'allowed_user_ids':['u'],"
                    + "'allowed_api_key_hashes':['"
                    + "a".repeat(64)
                    + "']"));
    assertThat(created.data().without("id"))
        .isEqualTo(
            TestServer.json(
                """
                {'provider':'beta','name':'mine','label':'sk-own...hij','workspace_id':'%s',
                 'disabled':false,'is_fallback':true,'sort_order':3,'always_use':true,
                 'allowed_models':['acme/small'],'allowed_api_key_hashes':['%s'],
                 'allowed_user_ids':['u'],'created_at':'%s','updated_at':null}\
                """
                    .formatted(DefaultWorkspace.ID, "a".repeat(64), TestServer.NOW)));
    assertThat(server.get("/byok/" + created.text("id")).body()).isEqualTo(created.body());
    assertThat(server.get("/byok").body().toString()).doesNotContain(SECRET);
    assertThat(stores.documents().find("byok", created.text("id")))
        .satisfies(document -> assertThat(document.body().toString()).doesNotContain(SECRET));
  }

  @Test
  @DisplayName(
      "is used by the next request instead of the gateway's credential, until it is deleted")
  void used() {
    assertThat(askAndGetUpstream("acme/small")).isEqualTo("beta shared-beta");
    String path = "/byok/" + create(BETA).text("id");
    assertThat(askAndGetUpstream("acme/small")).isEqualTo("beta " + SECRET);
    server.manage("PATCH", path, "{'disabled':true}");
    assertThat(askAndGetUpstream("acme/small")).isEqualTo("beta shared-beta");
    server.manage("PATCH", path, "{'disabled':false,'key':'sk-other-0123456789'}");
    assertThat(askAndGetUpstream("acme/small")).isEqualTo("beta sk-other-0123456789");
    assertThat(server.manage("DELETE", path, "").body())
        .isEqualTo(TestServer.json("{'deleted':true}"));
    assertThat(askAndGetUpstream("acme/small")).isEqualTo("beta shared-beta");
    assertThat(server.get(path).status()).isEqualTo(404);
  }

  @Proves("routing.byok.attributes")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'allowed_models':['acme/small']|true",
        "'allowed_models':['acme/large']|false",
        "'allowed_user_ids':['user_default']|true",
        "'allowed_user_ids':['eve']|false",
        "'is_fallback':true|false",
        "'workspace_id':null|true",
      })
  @DisplayName("is used first only if it is no fallback and allows the model and the user")
  void restricted(String restriction, boolean used) {
    create(betaWith(restriction));
    assertThat(askAndGetUpstream("acme/small"))
        .isEqualTo(used ? "beta " + SECRET : "beta shared-beta");
  }

  @Test
  @DisplayName("is used only for the API keys that it allows")
  void forKeys() {
    Answer other = server.manage("POST", "/keys", "{'name':'other'}");
    String key = Objects.requireNonNull(other.body().text("key"));
    create(betaWith("'allowed_api_key_hashes':['" + other.text("hash") + "']"));
    assertThat(askAndGetUpstream("acme/small")).isEqualTo("beta shared-beta");
    server.ask(key, "acme/small");
    assertThat(server.lastUpstream()).isEqualTo("beta " + SECRET);
  }

  @Test
  @DisplayName("is used before another one with a larger sort_order")
  void order() {
    create(betaWith("'sort_order':2"));
    create("{'provider':'beta','key':'sk-first-0123456789','sort_order':1}");
    assertThat(askAndGetUpstream("acme/small")).isEqualTo("beta sk-first-0123456789");
  }

  @Test
  @DisplayName("is used by other nodes within a quarter of a second, and after a restart")
  void otherNodes() {
    try (var other = new TestServer("", stores, ambient, KEY)) {
      other.ask(APP, "acme/small");
      assertThat(other.lastUpstream()).isEqualTo("beta shared-beta");
      create(BETA);
      server.awaitStorePoll(2);
      other.ask(APP, "acme/small");
      assertThat(other.lastUpstream()).isEqualTo("beta " + SECRET);
    }
    try (var restarted = new TestServer("", stores, ambient, KEY)) {
      restarted.ask(APP, "acme/small");
      assertThat(restarted.lastUpstream()).isEqualTo("beta " + SECRET);
    }
  }

  @Test
  @DisplayName("that cannot be decrypted is not used; everything else works")
  void unreadable() {
    create(BETA);
    byte[] other = new byte[32];
    other[0] = 1;
    for (SecretKeySource source :
        List.of(SecretKeySource.NONE, (SecretKeySource) () -> SecretKey.of(other))) {
      try (var restarted = new TestServer("", stores, ambient, source)) {
        restarted.ask(APP, "acme/small");
        assertThat(restarted.lastUpstream()).isEqualTo("beta shared-beta");
        assertThat(restarted.get("/byok").list()).hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("is refused without a secret key to encrypt it, and the error says how to set one")
  void noKey() {
    try (var keyless = new TestServer("", stores, ambient, SecretKeySource.NONE)) {
      Answer refused = keyless.manage("POST", "/byok", BETA);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.message())
          .contains("set store.secret_key in the configuration to the base64 form of 32 random")
          .doesNotContain(SECRET);
      assertThat(keyless.get("/byok").list()).isEmpty();
    }
    String key = "'store':{'secret_key':'" + "A".repeat(43) + "='}";
    try (var configured = new TestServer(key, stores, ambient, SecretKeySource.NONE)) {
      assertThat(configured.manage("POST", "/byok", BETA).status()).isEqualTo(201);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{}|/provider: is required; /key: is required",
        "{'provider':'nobody','key':'k'}|/provider: must be the slug of a provider, was \"nobody\"",
        "{'provider':'beta','key':'with blank'}|/key: must be printable ASCII without blanks",
        "{'provider':'beta','key':'k','sort_order':-1}|/sort_order: must be a whole number from 0",
        "{'provider':'beta','key':'k','allowed_models':[]}|/allowed_models: must have 1 to 100",
        "{'provider':'beta','key':'k','allowed_api_key_hashes':['x']}|/allowed_api_key_hashes/0:",
        "{'provider':'beta','key':'k','workspace_id':'w'}|/workspace_id: must be the id of a",
        "{'provider':'beta','key':'k','is_fallback':null}|/is_fallback: must be true or false",
      })
  @DisplayName("is refused with 400 and every problem if a member is wrong")
  void wrong(String body, String reason) {
    Answer refused = server.manage("POST", "/byok", body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains(reason).doesNotContain("with blank");
  }

  @Proves("routing.byok.attributes")
  @Test
  @DisplayName("lists at most a hundred API keys that may use it")
  void most() {
    String hashes = ("'" + "a".repeat(64) + "',").repeat(101);
    Answer refused =
        server.manage(
            "POST",
            "/byok",
            betaWith(
                "'allowed_api_key_hashes':[" + hashes.substring(0, hashes.length() - 1) + "]"));
    assertThat(refused.message()).contains("/allowed_api_key_hashes: must have 1 to 100 items");
  }

  @Test
  @DisplayName("is listed in pages, newest first, and by workspace")
  void listed() {
    for (int i = 0; i < 3; i++) {
      ambient.advance(Duration.ofSeconds(1));
      create(betaWith("'name':'k" + i + "'"));
    }
    Answer page = server.get("/byok?offset=1&limit=1");
    assertThat(page.list()).extracting(key -> key.text("name")).containsExactly("k1");
    assertThat(page.body().get("total_count")).isEqualTo(Json.of(3));
    assertThat(server.get("/byok?workspace_id=" + DefaultWorkspace.ID).list()).hasSize(3);
    assertThat(server.get("/byok?limit=101").status()).isEqualTo(400);
  }

  @Test
  @DisplayName("changes only the members of a PATCH, where null clears one")
  void updated() {
    Answer created = create(betaWith("'name':'n','allowed_models':['acme/small']"));
    String path = "/byok/" + created.text("id");
    Answer changed =
        server.manage("PATCH", path, "{'name':null,'sort_order':7,'provider':'alpha'}");
    assertThat(changed.data())
        .isEqualTo(
            created
                .data()
                .with("name", Json.NULL)
                .with("sort_order", Json.of(7))
                .with("updated_at", Json.of(TestServer.NOW)));
    assertThat(server.manage("PATCH", path, "{'allowed_models':null}").data().get("allowed_models"))
        .isEqualTo(Json.NULL);
    Answer nothing = server.manage("PATCH", path, "{'foo':1}");
    assertThat(nothing.status()).isEqualTo(400);
    assertThat(nothing.message()).isEqualTo("No update fields provided");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "123e4567-e89b-12d3-a456-426614174000"})
  @DisplayName("that does not exist is answered with 404")
  void absent(String id) {
    for (String method : List.of("GET", "PATCH", "DELETE")) {
      Answer none = server.send(ADMIN, method, "/byok/" + id, "{'name':'x'}");
      assertThat(none.status()).isEqualTo(404);
      assertThat(none.message()).isEqualTo("Resource not found");
    }
  }

  @Proves("resources.operation.account")
  @Test
  @DisplayName("can be managed only with a management key")
  void management() {
    assertThat(server.send(APP, "GET", "/byok", "").message())
        .isEqualTo("Only management keys can perform this operation");
  }
}
