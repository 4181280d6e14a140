package io.strowger.core;

import static io.strowger.core.House.ADMIN;
import static io.strowger.core.House.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.House.Answer;
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

@DisplayName("A customer's own key of a provider")
class ByokKeysTest {
  private static final String SECRET = "sk-own-0123456789abcdefghij";
  private static final String BETA = "{'provider':'beta','key':'" + SECRET + "'}";
  private static final SecretKeySource KEY = () -> SecretKey.of(new byte[32]);

  private final TestAmbient ambient = TestAmbient.at(House.NOW);
  private final MemoryStores stores = new MemoryStores();
  private final House house = new House("", stores, ambient, KEY);

  @AfterEach
  void noThreads() {
    house.close();
    ambient.assertNoThreadsLeft();
  }

  private Answer create(String body) {
    Answer created = house.manage("POST", "/byok", body);
    assertThat(created.message()).isEmpty();
    assertThat(created.status()).isEqualTo(201);
    return created;
  }

  private static String with(String more) {
    return BETA.replace("}", "," + more + "}");
  }

  private String asked(String model) {
    assertThat(house.ask(APP, model).status()).isEqualTo(200);
    return house.last();
  }

  @Proves("routing.byok.attributes")
  @Test
  @DisplayName("is kept with everything that is said of it, masked")
  void created() {
    Answer created =
        create(
            with(
                "'name':'mine','is_fallback':true,'sort_order':3,'always_use':true,"
                    + "'allowed_models':['acme/small'],'allowed_user_ids':['u'],"
                    + "'allowed_api_key_hashes':['"
                    + "a".repeat(64)
                    + "']"));
    assertThat(created.data().without("id"))
        .isEqualTo(
            House.json(
                """
                {'provider':'beta','name':'mine','label':'sk-own...hij','workspace_id':'%s',
                 'disabled':false,'is_fallback':true,'sort_order':3,'always_use':true,
                 'allowed_models':['acme/small'],'allowed_api_key_hashes':['%s'],
                 'allowed_user_ids':['u'],'created_at':'%s','updated_at':null}\
                """
                    .formatted(DefaultWorkspace.ID, "a".repeat(64), House.NOW)));
    assertThat(house.get("/byok/" + created.text("id")).body()).isEqualTo(created.body());
    assertThat(house.get("/byok").body().toString()).doesNotContain(SECRET);
    assertThat(stores.documents().find("byok", created.text("id")))
        .satisfies(kept -> assertThat(kept.body().toString()).doesNotContain(SECRET));
  }

  @Test
  @DisplayName("is used by the next request, before the gateway's own, until it is gone")
  void used() {
    assertThat(asked("acme/small")).isEqualTo("beta shared-beta");
    String path = "/byok/" + create(BETA).text("id");
    assertThat(asked("acme/small")).isEqualTo("beta " + SECRET);
    house.manage("PATCH", path, "{'disabled':true}");
    assertThat(asked("acme/small")).isEqualTo("beta shared-beta");
    house.manage("PATCH", path, "{'disabled':false,'key':'sk-other-0123456789'}");
    assertThat(asked("acme/small")).isEqualTo("beta sk-other-0123456789");
    assertThat(house.manage("DELETE", path, "").body()).isEqualTo(House.json("{'deleted':true}"));
    assertThat(asked("acme/small")).isEqualTo("beta shared-beta");
    assertThat(house.get(path).status()).isEqualTo(404);
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
  @DisplayName("is used for whom and what it is for")
  void restricted(String restriction, boolean used) {
    create(with(restriction));
    assertThat(asked("acme/small")).isEqualTo(used ? "beta " + SECRET : "beta shared-beta");
  }

  @Test
  @DisplayName("is used for the keys it names, and for no other")
  void forKeys() {
    Answer other = house.manage("POST", "/keys", "{'name':'other'}");
    String key = Objects.requireNonNull(other.body().text("key"));
    create(with("'allowed_api_key_hashes':['" + other.text("hash") + "']"));
    assertThat(asked("acme/small")).isEqualTo("beta shared-beta");
    house.ask(key, "acme/small");
    assertThat(house.last()).isEqualTo("beta " + SECRET);
  }

  @Test
  @DisplayName("comes in the order that was asked for")
  void order() {
    create(with("'sort_order':2"));
    create("{'provider':'beta','key':'sk-first-0123456789','sort_order':1}");
    assertThat(asked("acme/small")).isEqualTo("beta sk-first-0123456789");
  }

  @Test
  @DisplayName("is used by other nodes within a quarter of a second, and after a restart")
  void otherNodes() {
    try (var other = new House("", stores, ambient, KEY)) {
      other.ask(APP, "acme/small");
      assertThat(other.last()).isEqualTo("beta shared-beta");
      create(BETA);
      house.look(2);
      other.ask(APP, "acme/small");
      assertThat(other.last()).isEqualTo("beta " + SECRET);
    }
    try (var restarted = new House("", stores, ambient, KEY)) {
      restarted.ask(APP, "acme/small");
      assertThat(restarted.last()).isEqualTo("beta " + SECRET);
    }
  }

  @Test
  @DisplayName("that cannot be decrypted is left out, and nothing else is wrong")
  void unreadable() {
    create(BETA);
    byte[] other = new byte[32];
    other[0] = 1;
    for (SecretKeySource source :
        List.of(SecretKeySource.NONE, (SecretKeySource) () -> SecretKey.of(other))) {
      try (var restarted = new House("", stores, ambient, source)) {
        restarted.ask(APP, "acme/small");
        assertThat(restarted.last()).isEqualTo("beta shared-beta");
        assertThat(restarted.get("/byok").list()).hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("is refused with what to do about it where there is nothing to encrypt it with")
  void noKey() {
    try (var bare = new House("", stores, ambient, SecretKeySource.NONE)) {
      Answer refused = bare.manage("POST", "/byok", BETA);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.message())
          .contains("set store.secret_key in the configuration to the base64 form of 32 random")
          .doesNotContain(SECRET);
      assertThat(bare.get("/byok").list()).isEmpty();
    }
    String key = "'store':{'secret_key':'" + "A".repeat(43) + "='}";
    try (var configured = new House(key, stores, ambient, SecretKeySource.NONE)) {
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
  @DisplayName("is not kept when something is wrong with it: 400 with all that is")
  void wrong(String body, String says) {
    Answer refused = house.manage("POST", "/byok", body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains(says).doesNotContain("with blank");
  }

  @Proves("routing.byok.attributes")
  @Test
  @DisplayName("has at most a hundred keys it is for")
  void most() {
    String hashes = ("'" + "a".repeat(64) + "',").repeat(101);
    Answer refused =
        house.manage(
            "POST",
            "/byok",
            with("'allowed_api_key_hashes':[" + hashes.substring(0, hashes.length() - 1) + "]"));
    assertThat(refused.message()).contains("/allowed_api_key_hashes: must have 1 to 100 items");
  }

  @Test
  @DisplayName("is listed from the newest on, in pages, by workspace")
  void listed() {
    for (int i = 0; i < 3; i++) {
      ambient.advance(Duration.ofSeconds(1));
      create(with("'name':'k" + i + "'"));
    }
    Answer page = house.get("/byok?offset=1&limit=1");
    assertThat(page.list()).extracting(key -> key.text("name")).containsExactly("k1");
    assertThat(page.body().get("total_count")).isEqualTo(Json.of(3));
    assertThat(house.get("/byok?workspace_id=" + DefaultWorkspace.ID).list()).hasSize(3);
    assertThat(house.get("/byok?limit=101").status()).isEqualTo(400);
  }

  @Test
  @DisplayName("is changed in what is said, where null clears, and nothing else")
  void updated() {
    Answer created = create(with("'name':'n','allowed_models':['acme/small']"));
    String path = "/byok/" + created.text("id");
    Answer changed = house.manage("PATCH", path, "{'name':null,'sort_order':7,'provider':'alpha'}");
    assertThat(changed.data())
        .isEqualTo(
            created
                .data()
                .with("name", Json.NULL)
                .with("sort_order", Json.of(7))
                .with("updated_at", Json.of(House.NOW)));
    assertThat(house.manage("PATCH", path, "{'allowed_models':null}").data().get("allowed_models"))
        .isEqualTo(Json.NULL);
    Answer nothing = house.manage("PATCH", path, "{'foo':1}");
    assertThat(nothing.status()).isEqualTo(400);
    assertThat(nothing.message()).isEqualTo("No update fields provided");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "123e4567-e89b-12d3-a456-426614174000"})
  @DisplayName("that is not there is 404")
  void absent(String id) {
    for (String method : List.of("GET", "PATCH", "DELETE")) {
      Answer none = house.send(ADMIN, method, "/byok/" + id, "{'name':'x'}");
      assertThat(none.status()).isEqualTo(404);
      assertThat(none.message()).isEqualTo("Resource not found");
    }
  }

  @Proves("resources.operation.account")
  @Test
  @DisplayName("is the business of management keys only")
  void management() {
    assertThat(house.send(APP, "GET", "/byok", "").message())
        .isEqualTo("Only management keys can perform this operation");
  }
}
