package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.decode;
import static io.strowger.core.resource.ResourceWords.json;
import static io.strowger.core.resource.ResourceWords.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.strowger.core.authentication.Authenticator;
import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("API keys")
class KeyTableTest {
  private static final ResourceType TYPE = KeyTable.TYPE;
  private static final String LIMIT_RULE =
      "/limit: must be a number from 0 to 9000000000 with at most 9 decimals, was ";

  private static List<String> createProblems(String member) {
    return problems(TYPE::create, json("{'name':'n'," + member + "}"));
  }

  /** Returns what is stored for a key that is created with this member. */
  private static Json.Obj key(String member) {
    return TYPE.body(decode(TYPE::create, json("{'name':'n'," + member + "}")));
  }

  private static List<String> updateProblems(String body) {
    return problems(TYPE::update, json(body));
  }

  private static Json.Obj update(String body) {
    return decode(TYPE::update, json(body)).members();
  }

  /** Returns a key with a limit of five dollars a day after this change. */
  private static Json.Obj changed(String body) {
    return TYPE.applyTo(
        json("{'name':'k','limit':5,'limit_reset':'daily','include_byok_in_limit':true}"),
        decode(TYPE::update, json(body)));
  }

  @Nested
  @DisplayName("POST /keys")
  class Create {
    @Proves("operation.keys.name")
    @Test
    @DisplayName("needs a name and nothing else")
    void least() {
      assertThat(decode(TYPE::create, json("{'name':'n'}")).members())
          .isEqualTo(
              json(
                  "{'management':false,'name':'n','limit':null,'limit_reset':'lifetime',"
                      + "'include_byok_in_limit':false}"));
      assertThat(problems(TYPE::create, json("{}"))).containsExactly("/name: is required");
    }

    @Proves("operation.keys.name")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "'name':''|/name: must be a string, not empty, was \"\"",
          "'name':null|/name: must be a string, not empty, was null",
          "'name':5|/name: must be a string, not empty, was 5",
        })
    @DisplayName("refuses an empty name and one that is not a string")
    void name(String member, String problem) {
      assertThat(problems(TYPE::create, json("{" + member + "}"))).containsExactly(problem);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "'creator_user_id':''|/creator_user_id: must be a string, not empty, was \"\"",
          "'creator_user_id':null|/creator_user_id: must be a string, not empty, was null",
          "'include_byok_in_limit':null|/include_byok_in_limit: must be true or false, was null",
          "'include_byok_in_limit':1|/include_byok_in_limit: must be true or false, was 1",
          "'workspace_id':null|/workspace_id: must be a string, was null",
          "'external':'u'|/external: must be an object, was \"u\"",
          "'limit_reset':'yearly'|/limit_reset: must be one of daily, weekly, monthly, was"
              + " \"yearly\"",
        })
    @DisplayName("refuses an invalid value of a member with a single problem")
    void wrong(String member, String problem) {
      assertThat(createProblems(member)).containsExactly(problem);
    }

    @Test
    @DisplayName("accepts every member")
    void everything() {
      String all =
          "'creator_user_id':'c','expires_at':'2026-11-21T10:00:00Z','external':{'user':'u'},"
              + "'include_byok_in_limit':true,'limit':12.5,'limit_reset':'weekly',"
              + "'workspace_id':'w','colour':'red'";
      assertThat(key(all))
          .isEqualTo(
              json(
                  "{'label':'***','management':false,'creator_user_id':'c',"
                      + "'external':{'user':'u','api_key_sha256':null},"
                      + "'expires_at':'2026-11-21T10:00:00Z','name':'n','limit':12.5,"
                      + "'limit_reset':'weekly','include_byok_in_limit':true}"));
    }

    @Test
    @DisplayName("reports all problems at once")
    void all() {
      assertThat(problems(TYPE::create, json("{'limit':-1,'external':{},'expires_at':1}")))
          .containsExactly(
              LIMIT_RULE + "-1",
              "/external/user: is required",
              "/expires_at: must be a string, was 1",
              "/name: is required");
    }
  }

  @Nested
  @DisplayName("expires_at")
  class ExpiresAt {
    @Proves("operation.keys.expires_at")
    @ParameterizedTest
    @CsvSource({
      "2026-11-21T10:00:00Z,2026-11-21T10:00:00Z",
      "2026-11-21T10:00:00.5Z,2026-11-21T10:00:00.500Z",
      "2026-11-21T10:00:00.000000001Z,2026-11-21T10:00:00.000000001Z",
      "2026-11-21T10:00:00.0000000019Z,2026-11-21T10:00:00.000000001Z",
      "2024-02-29T23:59:59Z,2024-02-29T23:59:59Z",
      "0000-01-01T00:00:00Z,0000-01-01T00:00:00Z",
    })
    @DisplayName("is a UTC time with seconds and an optional fraction")
    void good(String given, String moment) {
      assertThat(key("'expires_at':'" + given + "'").text("expires_at")).isEqualTo(moment);
    }

    @Proves({"operation.keys.expires_at", "resources.key.expired"})
    @ParameterizedTest
    @ValueSource(
        strings = {
          "2026-11-21T10:00Z",
          "2026-11-21",
          "2026-11-21T10:00:00",
          "2026-11-21T10:00:00+00:00",
          "2026-11-21T10:00:00-01:00",
          "2026-11-21T10:00:00.Z",
          "2026-11-21T10:00:00,5Z",
          "2026-11-21 10:00:00Z",
          "2026-11-21t10:00:00Z",
          "2026-11-21T10:00:00z",
          "2026-11-21T24:00:00Z",
          "2026-11-21T10:60:00Z",
          "2016-12-31T23:59:60Z",
          "2026-02-29T10:00:00Z",
          "2026-13-01T10:00:00Z",
          "2026-00-01T10:00:00Z",
          "+12026-11-21T10:00:00Z",
          " 2026-11-21T10:00:00Z",
          "",
        })
    @DisplayName("is refused in any other precision, zone or spelling, and if no such time exists")
    void wrong(String given) {
      assertThat(createProblems("'expires_at':'" + given + "'"))
          .containsExactly(
              "/expires_at: must be a UTC time with seconds as YYYY-MM-DDTHH:MM:SSZ, fractional"
                  + " seconds allowed, was "
                  + Json.of(given));
    }
  }

  @Nested
  @DisplayName("limit")
  class Limit {
    @Proves("operation.keys.limit")
    @ParameterizedTest
    @CsvSource({
      "0,0",
      "-0,0",
      "5,5",
      "1e1,10",
      "0.000000001,0.000000001",
      "1.5000000000000,1.5",
      "9000000000,9000000000",
      "0e999999999,0",
      "10e-10,0.000000001",
    })
    @DisplayName("is an exact number of dollars from 0")
    void good(String given, BigDecimal dollars) {
      assertThat(key("'limit':" + given).get("limit")).isEqualTo(Usd.ofDollars(dollars).json());
    }

    @Proves("operation.keys.limit")
    @ParameterizedTest
    @ValueSource(
        strings = {
          "-0.000000001",
          "0.0000000001",
          "1e-10",
          "9000000000.000000001",
          "1e999999999",
          "1e-999999999",
        })
    @DisplayName("is refused below 0, beyond the range of money, and with more than 9 decimals")
    void wrong(String given) {
      assertThat(createProblems("'limit':" + given)).containsExactly(LIMIT_RULE + given);
    }

    @Test
    @DisplayName("must be a number; null means no limit")
    void kinds() {
      assertThat(createProblems("'limit':'5'"))
          .containsExactly("/limit: must be a number, was \"5\"");
      assertThat(key("'limit':null").get("limit")).isEqualTo(Json.NULL);
    }

    @Proves({"key.limit_reset", "operation.keys.limit_reset"})
    @ParameterizedTest
    @CsvSource({
      "'\"daily\"',daily",
      "'\"weekly\"',weekly",
      "'\"monthly\"',monthly",
      "null,lifetime"
    })
    @DisplayName("is reset every day, week or month, or with null never")
    void resets(String given, String reset) {
      assertThat(key("'limit_reset':" + given).text("limit_reset")).isEqualTo(reset);
    }
  }

  @Nested
  @DisplayName("external")
  class External {
    private static final String USER_RULE =
        "/external/user: must be a string of 1 to 512 characters after trimming, well-formed and"
            + " without NUL, was ";
    private static final String KEY_RULE =
        "/external/api_key: must be a string of at least 32 characters, 8 of them different,"
            + " well-formed and without NUL";

    private static Json.Obj with(Json user) {
      Json.Obj external = Json.object().put("user", user).build();
      return Json.object().put("name", "n").put("external", external).build();
    }

    private static Json.Obj withKey(String key) {
      Json.Obj external = Json.object().put("user", "u").put("api_key", key).build();
      return Json.object().put("name", "n").put("external", external).build();
    }

    private static Json.Obj external(Json.Obj body) {
      return Objects.requireNonNull(decode(TYPE::create, body).members().object("external"));
    }

    private static String user(String given) {
      return Objects.requireNonNull(external(with(Json.of(given))).text("user"));
    }

    @Proves({"operation.keys.external", "resources.key.external", "answers.external"})
    @Test
    @DisplayName("has a user of 1 to 512 characters, counted after trimming")
    void user() {
      assertThat(user(" \u00a0\ufeff\tu v\n ")).isEqualTo("u v");
      assertThat(user("\uD83D\uDE00".repeat(512))).hasSize(1024);
      assertThat(user(" " + "x".repeat(512) + " ")).hasSize(512);
      assertThat(problems(TYPE::create, with(Json.of("x".repeat(513)))))
          .containsExactly(USER_RULE + "\"" + "x".repeat(40) + "...\"");
      assertThat(problems(TYPE::create, with(Json.of(" \u2003 "))))
          .containsExactly(USER_RULE + Json.of(" \u2003 "));
      assertThat(problems(TYPE::create, with(Json.NULL)))
          .containsExactly("/external/user: must be a string, was null");
    }

    @Proves("resources.key.external")
    @ParameterizedTest
    @ValueSource(strings = {"a\\ud800b", "\\udc00", "a\\u0000b", "\\u0000"})
    @DisplayName("has a user without NUL and without half a surrogate pair")
    void sound(String user) {
      assertThat(createProblems("'external':{'user':'" + user + "'}"))
          .singleElement()
          .asString()
          .startsWith(USER_RULE);
    }

    @Proves({"operation.keys.external", "resources.key.external", "answers.external"})
    @Test
    @DisplayName("has a key of at least 32 characters, of which only the digest is kept")
    void key() {
      String secret = "0123456789abcdef0123456789abcdef";
      assertThat(external(withKey(secret)).text("api_key_sha256"))
          .isEqualTo(Authenticator.id(new Credential(secret)).hex());
      assertThat(decode(TYPE::create, withKey(secret)).members().toString()).doesNotContain(secret);
    }

    @Proves("resources.key.external")
    @ParameterizedTest
    @ValueSource(
        strings = {
          "0123456789abcdef0123456789abcde",
          "passwordpasswordpasswordpassword",
          "00000000000000000000000000000000000000000000",
          "0123456789abcdef0123456789abcdef\uD800",
          "0123456789abcdef0123456789abcdef\u0000",
        })
    @DisplayName("refuses a key that is short, weak or malformed, and does not show it")
    void weak(String key) {
      assertThat(problems(TYPE::create, withKey(key))).containsExactly(KEY_RULE);
    }

    @Test
    @DisplayName("refuses a key that is not a string, and does not show it either")
    void otherKind() {
      assertThat(createProblems("'external':{'user':'u','api_key':12345}"))
          .containsExactly("/external/api_key: must be a string");
    }
  }

  @Nested
  @DisplayName("PATCH /keys/{hash}")
  class Update {
    private static void assertNoUpdateFields(String body) {
      assertThatExceptionOfType(GatewayException.class)
          .isThrownBy(() -> TYPE.update(json(body), new Problems()))
          .satisfies(
              wrong -> {
                assertThat(wrong.error().code().status()).isEqualTo(400);
                assertThat(wrong.error().message()).isEqualTo("No update fields provided");
                assertThat(wrong.error().problems()).isEmpty();
              });
    }

    @Proves("resources.key.KY-5")
    @Test
    @DisplayName("KY-5: without any of its members is refused with exactly this message")
    void ky5() {
      assertNoUpdateFields("{'foo':1}");
      assertNoUpdateFields("{}");
      assertNoUpdateFields("{'workspace_id':'w','external':{},'hash':'h'}");
    }

    @Proves("resources.key.KY-6")
    @Test
    @DisplayName(
        "KY-6: with a limit of null removes the limit, and differs from one without a limit")
    void ky6() {
      assertThat(update("{'limit':null}")).isEqualTo(json("{'limit':null}"));
      assertThat(changed("{'limit':null}").get("limit")).isEqualTo(Json.NULL);
      assertThat(changed("{'limit':null}").text("limit_reset")).isEqualTo("daily");
      assertThat(changed("{'name':'n'}").get("limit")).isEqualTo(Json.of(5));
    }

    @Proves({
      "operation.keys.update.disabled",
      "operation.keys.update.include_byok_in_limit",
      "operation.keys.update.name"
    })
    @Test
    @DisplayName("sets the members it names and leaves the others")
    void sets() {
      String body =
          "{'disabled':true,'include_byok_in_limit':true,'limit':0,'limit_reset':'monthly',"
              + "'name':'m','foo':1}";
      assertThat(update(body))
          .isEqualTo(
              json(
                  "{'name':'m','limit':0,'limit_reset':'monthly','include_byok_in_limit':true,"
                      + "'disabled':true}"));
      assertThat(changed("{'limit':0,'limit_reset':'monthly'}"))
          .isEqualTo(
              json(
                  "{'name':'k','limit':0,'limit_reset':'monthly','include_byok_in_limit':true,"
                      + "'label':'***','management':false}"));
    }

    @Proves("operation.keys.update.limit_reset")
    @Test
    @DisplayName("ends the resets of the limit with null")
    void noReset() {
      assertThat(update("{'limit_reset':null}").text("limit_reset")).isEqualTo("lifetime");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "{'name':''}|/name: must be a string, not empty, was \"\"",
          "{'name':null}|/name: must be a string, not empty, was null",
          "{'disabled':null}|/disabled: must be true or false, was null",
          "{'disabled':'true'}|/disabled: must be true or false, was \"true\"",
          "{'include_byok_in_limit':null}|/include_byok_in_limit: must be true or false, was null",
          "{'limit':'5'}|/limit: must be a number, was \"5\"",
          "{'limit_reset':'never'}|/limit_reset: must be one of daily, weekly, monthly, was"
              + " \"never\"",
        })
    @DisplayName("refuses an invalid value of a member")
    void wrong(String body, String problem) {
      assertThat(updateProblems(body)).containsExactly(problem);
    }

    @Test
    @DisplayName("checks a limit by the same rule as creating a key does")
    void limits() {
      assertThat(updateProblems("{'limit':0.0000000001}"))
          .containsExactly(LIMIT_RULE + "0.0000000001");
      assertThat(updateProblems("{'limit':9000000001}")).containsExactly(LIMIT_RULE + "9000000001");
    }
  }
}
