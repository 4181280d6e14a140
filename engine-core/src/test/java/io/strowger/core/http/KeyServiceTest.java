package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.json;
import static io.strowger.core.http.TestHttpApi.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.authentication.Authenticator;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Keys")
class KeyServiceTest {
  private static final String NOW = "2023-11-14T22:13:22Z";

  private final TestHttpApi api = TestHttpApi.withLargeBodies();
  private int spent;

  private WireResponse send(String method, String path, String body) {
    int mark = path.indexOf('?');
    return api.call(method, mark < 0 ? path : path.substring(0, mark))
        .query(mark < 0 ? "" : path.substring(mark + 1))
        .key("sk-admin")
        .body(body.replace('\'', '"'))
        .send();
  }

  private static Json.Obj okJson(WireResponse response) {
    assertThat(response.status()).isEqualTo(200);
    return json(response);
  }

  private Json.Obj create(String body) {
    return okJson(send("POST", "/keys", body));
  }

  private static Json.Obj data(Json.Obj answer) {
    return Objects.requireNonNull(answer.object("data"));
  }

  private Json.Obj patch(String hash, String body) {
    return data(okJson(send("PATCH", "/keys/" + hash, body)));
  }

  private static String hash(Json.Obj created) {
    return Objects.requireNonNull(data(created).text("hash"));
  }

  private static String plaintext(Json.Obj created) {
    return Objects.requireNonNull(created.text("key"));
  }

  private WireResponse ask(String key) {
    return api.chat(TestHttpApi.CHAT_BODY).key(key).send();
  }

  private List<String> names(String query) {
    Json.Arr list = Objects.requireNonNull(okJson(send("GET", "/keys" + query, "")).list("data"));
    var names = new ArrayList<String>();
    for (int i = 0; i < list.size(); i++) {
      names.add(Objects.requireNonNull(((Json.Obj) list.get(i)).text("name")));
    }
    return names;
  }

  @Proves({
    "key.*",
    "operation.keys.creator_user_id",
    "operation.keys.external",
    "operation.keys.include_byok_in_limit",
    "operation.keys.limit",
    "operation.keys.workspace_id",
    "operation.keys.created",
    "authentication.4",
    "resources.key.hash",
    "open.1",
    "open.72"
  })
  @Test
  @DisplayName("are created with every member of the contract, and their plaintext is shown once")
  void created() {
    Json.Obj created =
        create(
            "{'name':'n','limit':12.5,'limit_reset':'weekly','include_byok_in_limit':true,"
                + "'creator_user_id':'u','expires_at':'2027-01-01T00:00:00Z',"
                + "'external':{'user':' eve ','api_key':'0123456789abcdef0123456789abcdef'}}");
    String key = plaintext(created);
    assertThat(key).matches("sk-[A-Za-z0-9_-]{43}");
    String label = key.substring(0, 6) + "..." + key.substring(key.length() - 3);
    Json.Obj expected =
        json(
            """
            {"name":"n","label":"%s","disabled":false,"limit":12.5,"limit_remaining":12.5,
             "limit_reset":"weekly","include_byok_in_limit":true,
             "usage":0,"usage_daily":0,"usage_weekly":0,"usage_monthly":0,
             "byok_usage":0,"byok_usage_daily":0,"byok_usage_weekly":0,"byok_usage_monthly":0,
             "created_at":"%s","updated_at":null,"last_used_at":null,
             "expires_at":"2027-01-01T00:00:00Z","creator_user_id":"u",
             "external_user":{"id":null,"user":"eve"},"workspace_id":"%s"}\
            """
                .formatted(label, NOW, DefaultWorkspace.ID));
    assertThat(data(created).without("hash")).isEqualTo(expected);
    String hash = hash(created);
    assertThat(hash).isEqualTo(Authenticator.id(new Credential(key)).hex());
    Json.Obj read = okJson(send("GET", "/keys/" + hash, ""));
    assertThat(read).isEqualTo(Json.object().put("data", data(created)).build());
  }

  @Test
  @DisplayName("work at once, for inference only")
  void work() {
    String key = plaintext(create("{'name':'n'}"));
    assertThat(ask(key).status()).isEqualTo(200);
    WireResponse manage = api.call("GET", "/keys").key(key).send();
    assertThat(manage.status()).isEqualTo(403);
    assertThat(message(manage)).isEqualTo("Only management keys can perform this operation");
  }

  @Proves({
    "key.limit",
    "key.creator_user_id",
    "key.external_user",
    "operation.keys.include_byok_in_limit",
    "resources.key.limit"
  })
  @Test
  @DisplayName("have no limit, no reset, no expiry and no external user unless the body has one")
  void usual() {
    Json.Obj key = data(create("{'name':'n'}"));
    for (String name :
        List.of("limit", "limit_remaining", "limit_reset", "expires_at", "external_user")) {
      assertThat(key.get(name)).as(name).isEqualTo(Json.NULL);
    }
    assertThat(key.get("include_byok_in_limit")).isEqualTo(Json.FALSE);
    assertThat(key.text("creator_user_id"))
        .as("the user of the calling key")
        .isEqualTo("user_default");
    assertThat(hash(create("{'name':'n'}")))
        .as("the hash of another key")
        .isNotEqualTo(key.text("hash"));
  }

  @Proves({
    "operation.keys.name",
    "operation.keys.creator_user_id",
    "operation.keys.expires_at",
    "operation.keys.limit_reset",
    "operation.keys.errors"
  })
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{}|/name: is required",
        "{'name':''}|/name: must be a string, not empty, was \"\"",
        "{'name':'n','limit':-1}|/limit: must be a number from 0",
        "{'name':'n','limit':0.0000000001}|with at most 9 decimals",
        "{'name':'n','limit_reset':'hourly'}|/limit_reset: must be one of daily, weekly, monthly",
        "{'name':'n','expires_at':'2027-01-01T00:00Z'}|/expires_at: must be a UTC time",
        "{'name':'n','expires_at':'2027-01-01T00:00:00+01:00'}|/expires_at: must be a UTC time",
        "{'name':'n','creator_user_id':''}|/creator_user_id: must be a string, not empty",
        "{'name':'n','external':{}}|/external/user: is required",
        "{'name':'n','workspace_id':'w'}|/workspace_id: must be the id of a workspace, was \"w\"",
        "{'name':'n','workspace_id':5}|/workspace_id: must be a string",
        "{'name':'','workspace_id':'w'}|/name: must be a string, not empty, was \"\";"
            + " /workspace_id: must be",
        "nope|the body",
        "[]|the body must be an object",
      })
  @DisplayName("are not created from a wrong body: 400 with all of its problems")
  void wrong(String body, String expected) {
    WireResponse response = send("POST", "/keys", body);
    assertThat(message(response)).startsWith("Invalid request parameters").contains(expected);
    assertThat(response.status()).isEqualTo(400);
    assertThat(names("")).containsExactlyInAnyOrder("admin", "app");
  }

  @Proves({
    "resources.operation.keys",
    "resources.operation.paging",
    "resources.key.delete",
    "open.73"
  })
  @Test
  @DisplayName("are listed newest first, a hundred on a page, disabled ones only on request")
  void listed() {
    for (int i = 0; i < 101; i++) {
      api.ambient.advance(Duration.ofSeconds(1));
      create("{'name':'k%03d'}".formatted(i));
    }
    List<String> page = names("");
    assertThat(page).hasSize(100);
    assertThat(page.subList(0, 2)).containsExactly("k100", "k099");
    List<String> rest = names("?offset=100");
    assertThat(rest.getFirst()).isEqualTo("k000");
    assertThat(rest.subList(1, 3)).containsExactlyInAnyOrder("admin", "app");
    Json.Obj newest = create("{'name':'last'}");
    patch(hash(newest), "{'disabled':true}");
    assertThat(names("")).doesNotContain("last");
    assertThat(names("?include_disabled=true")).contains("last");
    assertThat(names("?include_disabled=false")).doesNotContain("last");
    assertThat(names("?offset=103")).isEmpty();
    assertThat(names("?offset=0&workspace_id=" + DefaultWorkspace.ID)).hasSize(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"offset=-1", "include_disabled=yes", "workspace_id=w", "offset=0&offset=1"})
  @DisplayName("are not listed for a wrong query: 400 with the name of the parameter")
  void wrongQuery(String query) {
    WireResponse response = send("GET", "/keys?" + query, "");
    assertThat(message(response))
        .contains("the query parameter " + query.substring(0, query.indexOf('=')));
    assertThat(response.status()).isEqualTo(400);
  }

  @Proves({
    "key.hash",
    "key.updated_at",
    "operation.keys.update.include_byok_in_limit",
    "operation.keys.update.limit",
    "operation.keys.update.limit_reset",
    "operation.keys.update.name",
    "operation.keys.update.unknown",
    "operation.keys.update.answer",
    "resources.key.delete",
    "answers.key-update"
  })
  @Test
  @DisplayName("are changed in the members of the body, and in nothing else")
  void updated() {
    Json.Obj created = create("{'name':'n','limit':1,'limit_reset':'daily'}");
    String hash = hash(created);
    api.ambient.advance(Duration.ofSeconds(5));
    Json.Obj named = patch(hash, "{'name':'m','foo':1,'workspace_id':'other'}");
    assertThat(named)
        .isEqualTo(
            data(created)
                .with("name", Json.of("m"))
                .with("updated_at", Json.of("2023-11-14T22:13:27Z")));
    Json.Obj limited = patch(hash, "{'limit':2.5,'limit_reset':null,'include_byok_in_limit':true}");
    assertThat(limited.get("limit")).isEqualTo(json("{\"x\":2.5}").get("x"));
    assertThat(limited.get("limit_reset")).isEqualTo(Json.NULL);
    assertThat(limited.get("include_byok_in_limit")).isEqualTo(Json.TRUE);
    assertThat(limited.text("name")).isEqualTo("m");
    assertThat(data(okJson(send("GET", "/keys/" + hash, "")))).isEqualTo(limited);
  }

  @Proves({"operation.keys.update.nothing", "error.400", "resources.key.KY-5"})
  @Test
  @DisplayName("KY-5: are not changed by a body that changes nothing")
  void nothing() {
    String hash = hash(create("{'name':'n'}"));
    for (String body : List.of("{'foo':1}", "{}", "{'workspace_id':'w','limt':1}")) {
      WireResponse response = send("PATCH", "/keys/" + hash, body);
      assertThat(message(response)).isEqualTo("No update fields provided");
      assertThat(response.status()).isEqualTo(400);
    }
  }

  @Proves({"operation.keys.update.limit", "resources.key.KY-6"})
  @Test
  @DisplayName("KY-6: have no limit after it was cleared with null")
  void unlimited() {
    String hash = hash(create("{'name':'n','limit':1}"));
    Json.Obj cleared = patch(hash, "{'limit':null}");
    assertThat(cleared.get("limit")).isEqualTo(Json.NULL);
    assertThat(cleared.get("limit_remaining")).isEqualTo(Json.NULL);
    assertThat(patch(hash, "{'name':'m'}").get("limit"))
        .as("absent is not null")
        .isEqualTo(Json.NULL);
    patch(hash, "{'limit':3}");
    assertThat(patch(hash, "{'name':'o'}").get("limit")).isEqualTo(Json.of(3));
  }

  /** Charges a key for a call that is over. */
  private void spendOn(String hash, Charge charge) {
    Payer payer = Objects.requireNonNull(api.account.keys().find(id(hash))).payer();
    Instant at = api.ambient.now();
    var claim =
        new Ledger.Claim(
            List.of(new Payer(payer.kind(), payer.id(), List.of())),
            charge,
            at,
            api.ambient.nanoTime() + Duration.ofMinutes(1).toNanos());
    var granted = (Ledger.Outcome.Granted) api.ledger.hold(claim);
    granted
        .reservation()
        .settle(
            List.of(
                new LedgerEntry(
                    "gen-" + spent++,
                    0,
                    at,
                    "acme/large@alpha",
                    "k1",
                    CallRecord.Outcome.COMPLETE,
                    Given.usage(1, 1),
                    charge)));
  }

  @Proves({
    "key.limit_remaining",
    "key.include_byok_in_limit",
    "key.byok_usage",
    "resources.key.counts",
    "resources.key.KY-3"
  })
  @Test
  @DisplayName("KY-3: do not count the cost of BYOK keys against a limit that excludes it")
  void byokApart() {
    String hash = hash(create("{'name':'n','limit':5}"));
    spendOn(hash, new Charge(Usd.ZERO, usd(7)));
    Json.Obj key = data(okJson(send("GET", "/keys/" + hash, "")));
    assertThat(key.get("limit_remaining")).isEqualTo(Json.of(5));
    assertThat(key.get("byok_usage")).isEqualTo(Json.of(7));
    assertThat(key.get("usage")).isEqualTo(Json.of(0));
  }

  @Proves({"key.limit_remaining", "key.include_byok_in_limit", "resources.key.KY-4", "open.71"})
  @Test
  @DisplayName(
      "KY-4: count the cost of BYOK keys against a limit that includes it, with never less than "
          + "zero left")
  void byokCounts() {
    String hash = hash(create("{'name':'n','limit':5,'include_byok_in_limit':true}"));
    spendOn(hash, new Charge(usd(1), usd(3)));
    Json.Obj key = data(okJson(send("GET", "/keys/" + hash, "")));
    assertThat(key.get("limit_remaining")).isEqualTo(Json.of(1));
    assertThat(patch(hash, "{'limit':2}").get("limit_remaining")).isEqualTo(Json.of(0));
    assertThat(patch(hash, "{'include_byok_in_limit':false}").get("limit_remaining"))
        .isEqualTo(Json.of(1));
  }

  private static Usd usd(long dollars) {
    return Usd.ofDollars(BigDecimal.valueOf(dollars));
  }

  private static KeyId id(String hash) {
    return KeyId.of(HexFormat.of().parseHex(hash));
  }

  @Proves({
    "key.disabled",
    "states.key.disable",
    "states.key.enable",
    "operation.keys.update.disabled"
  })
  @Test
  @DisplayName("are refused while they are disabled, and work again afterwards")
  void disabled() {
    Json.Obj created = create("{'name':'n'}");
    String key = plaintext(created);
    assertThat(ask(key).status()).isEqualTo(200);
    assertThat(patch(hash(created), "{'disabled':true}").get("disabled")).isEqualTo(Json.TRUE);
    WireResponse refused = ask(key);
    assertThat(refused.status()).isEqualTo(401);
    assertThat(message(refused)).isEqualTo("The API key is disabled");
    assertThat(patch(hash(created), "{'disabled':false}").get("disabled")).isEqualTo(Json.FALSE);
    assertThat(ask(key).status()).isEqualTo(200);
  }

  @Proves("key.expires_at")
  @Test
  @DisplayName("are refused from the moment on in which they expire")
  void expired() {
    String key = plaintext(create("{'name':'n','expires_at':'2023-11-14T22:13:24.5Z'}"));
    api.ambient.advance(Duration.ofMillis(2_499));
    assertThat(ask(key).status()).isEqualTo(200);
    api.ambient.advance(Duration.ofMillis(1));
    WireResponse refused = ask(key);
    assertThat(refused.status()).isEqualTo(401);
    assertThat(message(refused)).isEqualTo("The API key has expired");
  }

  @Proves({"error.404", "resources.operation.keys", "resources.key.delete", "open.81"})
  @Test
  @DisplayName("are unknown once they are deleted, as if they had never existed")
  void deleted() {
    Json.Obj created = create("{'name':'n'}");
    String path = "/keys/" + hash(created);
    assertThat(ask(plaintext(created)).status()).isEqualTo(200);
    assertThat(okJson(send("DELETE", path, ""))).isEqualTo(json("{\"deleted\":true}"));
    assertThat(message(ask(plaintext(created)))).isEqualTo("Invalid credentials");
    Map.of("GET", "", "DELETE", "", "PATCH", "{'name':'x'}")
        .forEach(
            (method, body) -> {
              WireResponse afterDeletion = send(method, path, body);
              assertThat(message(afterDeletion)).isEqualTo("Resource not found");
              assertThat(afterDeletion.status()).isEqualTo(404);
            });
  }

  @Proves({"resources.operation.key", "resources.key.current"})
  @Test
  @DisplayName("show their own record to their bearer, without hash and name")
  void current() {
    Json.Obj created = create("{'name':'n','limit':4,'expires_at':'2027-01-01T00:00:00Z'}");
    Json.Obj current = okJson(api.call("GET", "/key").key(plaintext(created)).send());
    Json.Obj expected =
        json(
            """
            {"limit":4,"limit_remaining":4,"limit_reset":null,"include_byok_in_limit":false,
             "usage":0,"usage_daily":0,"usage_weekly":0,"usage_monthly":0,
             "byok_usage":0,"byok_usage_daily":0,"byok_usage_weekly":0,"byok_usage_monthly":0,
             "creator_user_id":"user_default","expires_at":"2027-01-01T00:00:00Z",
             "is_free_tier":false,"is_management_key":false,"is_provisioning_key":false,
             "rate_limit":{"requests":-1,"interval":"10s",
                           "note":"This field is deprecated and safe to ignore."}}\
            """);
    assertThat(data(current).without("label")).isEqualTo(expected);
    assertThat(data(current).text("label")).isEqualTo(data(created).text("label"));
    Json.Obj admin = data(okJson(send("GET", "/key", "")));
    assertThat(admin.get("is_management_key")).isEqualTo(Json.TRUE);
    assertThat(admin.get("is_provisioning_key")).isEqualTo(Json.TRUE);
  }

  @Proves({"key.plaintext", "authentication.4"})
  @Test
  @DisplayName("include those of the configuration, and leave no plaintext in the store")
  void ofTheConfiguration() {
    Json.Obj created = create("{'name':'n'}");
    assertThat(names("")).containsExactlyInAnyOrder("n", "app", "admin");
    Document stored = Objects.requireNonNull(api.stores.documents().find("key", hash(created)));
    assertThat(stored.body().toString() + stored).doesNotContain(plaintext(created).substring(9));
  }
}
