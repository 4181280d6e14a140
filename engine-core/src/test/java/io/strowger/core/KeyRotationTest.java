package io.strowger.core;

import static io.strowger.core.House.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.House.Answer;
import io.strowger.core.authentication.Authenticator;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A key that is rotated")
class KeyRotationTest {
  private static final String OLD = hash(APP);

  private final House house =
      new House(
          "'store':{'secret_key':'" + Base64.getEncoder().encodeToString(new byte[32]) + "'}");

  @AfterEach
  void noThreads() {
    house.close();
    house.ambient.assertNoThreadsLeft();
  }

  private static String hash(String plaintext) {
    return Authenticator.id(new Credential(plaintext)).hex();
  }

  private Answer rotate(String hash, String body) {
    Answer rotated = house.manage("POST", "/keys/" + hash + "/rotate", body);
    assertThat(rotated.message()).isEmpty();
    assertThat(rotated.status()).isEqualTo(200);
    return rotated;
  }

  private static String plaintext(Answer created) {
    return Objects.requireNonNull(created.body().text("key"));
  }

  private int ask(String key) {
    return house.ask(key, "acme/small").status();
  }

  @Test
  @DisplayName("has another plaintext and the hash of that, and is the same key in all else")
  void answer() {
    house.manage("PATCH", "/keys/" + OLD, "{'limit':5,'limit_reset':'daily','name':'mine'}");
    assertThat(ask(APP)).isEqualTo(200);
    Json.Obj before = house.get("/keys/" + OLD).data();
    house.ambient.advance(Duration.ofSeconds(1));
    Answer rotated = rotate(OLD, "");
    String key = plaintext(rotated);
    assertThat(key).matches("sk-[A-Za-z0-9_-]{43}");
    assertThat(rotated.text("hash")).isEqualTo(hash(key)).isNotEqualTo(OLD);
    assertThat(rotated.text("updated_at")).isEqualTo("2026-11-21T12:00:01Z");
    for (String changed : new String[] {"hash", "label", "updated_at"}) {
      before = before.without(changed);
    }
    assertThat(rotated.data().without("hash").without("label").without("updated_at"))
        .isEqualTo(before);
    assertThat(ask(key)).isEqualTo(200);
    assertThat(ask(APP)).as("no overlap was asked for").isEqualTo(401);
    assertThat(house.get("/keys").list()).hasSize(2);
    assertThat(house.get("/keys/" + hash(key)).text("name")).isEqualTo("mine");
    assertThat(house.get("/keys/" + OLD).text("hash"))
        .as("what remembers the former hash still finds it")
        .isEqualTo(hash(key));
    assertThat(house.send(key, "GET", "/key", "").text("label")).isEqualTo(rotated.text("label"));
  }

  @Test
  @DisplayName("takes its former plaintext as long as it was told to, and no longer")
  void overlap() {
    String key = plaintext(rotate(OLD, "{'overlap_seconds':60}"));
    assertThat(ask(APP)).isEqualTo(200);
    house.ambient.advance(Duration.ofSeconds(59));
    assertThat(ask(APP)).isEqualTo(200);
    house.ambient.advance(Duration.ofSeconds(1));
    assertThat(ask(APP)).isEqualTo(401);
    assertThat(ask(key)).isEqualTo(200);
  }

  @Test
  @DisplayName("again ends every former plaintext after the overlap of the last time at most")
  void again() {
    String first = plaintext(rotate(OLD, "{'overlap_seconds':600}"));
    assertThat(ask(APP)).isEqualTo(200);
    assertThat(ask(first)).isEqualTo(200);
    String second = plaintext(rotate(hash(first), "{'overlap_seconds':60}"));
    assertThat(ask(APP)).isEqualTo(200);
    String third = plaintext(rotate(OLD, "{'overlap_seconds':30}"));
    house.ambient.advance(Duration.ofSeconds(29));
    for (String good : new String[] {APP, first, second, third}) {
      assertThat(ask(good)).isEqualTo(200);
    }
    house.ambient.advance(Duration.ofSeconds(1));
    for (String former : new String[] {APP, first, second}) {
      assertThat(ask(former)).isEqualTo(401);
      assertThat(house.get("/keys/" + hash(former)).text("hash")).isEqualTo(hash(third));
    }
    assertThat(ask(third)).isEqualTo(200);
  }

  @Test
  @DisplayName("has one limit and one count of what was spent, whichever plaintext is used")
  void oneCounter() {
    house.manage("PATCH", "/keys/" + OLD, "{'limit':0.05}");
    String key = plaintext(rotate(OLD, "{'overlap_seconds':60}"));
    int served = 0;
    for (int i = 0; i < 20; i++) {
      served += ask(i % 2 == 0 ? APP : key) == 200 ? 1 : 0;
    }
    Json.Obj after = house.get("/keys/" + hash(key)).data();
    // 0.0055 a request, of which 0.0115 and more have to be left
    assertThat(after.get("usage"))
        .isEqualTo(
            Json.of(
                new BigDecimal("0.0055")
                    .multiply(BigDecimal.valueOf(served))
                    .stripTrailingZeros()));
    assertThat(served).isBetween(1, 9);
    assertThat(ask(APP)).isEqualTo(402);
    assertThat(ask(key)).isEqualTo(402);
  }

  @Test
  @DisplayName("is still bound by its guardrail, and freed of it by either hash")
  void guardrail() {
    String guardrail =
        house
            .manage("POST", "/guardrails", "{'name':'g','allowed_models':['acme/large']}")
            .text("id");
    String assignments = "/guardrails/" + guardrail + "/assignments/keys";
    house.manage("POST", assignments, "{'key_hashes':['" + OLD + "']}");
    assertThat(ask(APP)).isNotEqualTo(200);
    String key = plaintext(rotate(OLD, "{'overlap_seconds':60}"));
    assertThat(ask(key)).isNotEqualTo(200);
    assertThat(ask(APP)).isNotEqualTo(200);
    assertThat(house.get(assignments).list())
        .extracting(one -> one.text("key_hash"))
        .containsExactly(hash(key));
    Answer freed =
        house.manage("POST", assignments + "/remove", "{'key_hashes':['" + hash(key) + "']}");
    assertThat(freed.body().get("unassigned_count")).isEqualTo(Json.of(1));
    assertThat(ask(key)).isEqualTo(200);
    house.manage("POST", assignments, "{'key_hashes':['" + hash(key) + "']}");
    assertThat(ask(key)).as("assigned by its new hash").isNotEqualTo(200);
    assertThat(house.manage("DELETE", "/keys/" + OLD, "").status()).isEqualTo(200);
    assertThat(house.get(assignments).list()).isEmpty();
  }

  @Test
  @DisplayName("goes on with the BYOK keys of providers that name its former hash or its new one")
  void byok() {
    String body = "{'provider':'beta','key':'own-beta','allowed_api_key_hashes':['%s']}";
    house.manage("POST", "/byok", body.formatted(OLD));
    assertThat(ask(APP)).isEqualTo(200);
    assertThat(house.last()).isEqualTo("beta own-beta");
    String key = plaintext(rotate(OLD, "{'overlap_seconds':60}"));
    assertThat(ask(key)).isEqualTo(200);
    assertThat(house.last()).isEqualTo("beta own-beta");
    Answer own = house.get("/byok");
    String id = Objects.requireNonNull(own.list().getFirst().text("id"));
    house.manage("PATCH", "/byok/" + id, "{'allowed_api_key_hashes':['" + hash(key) + "']}");
    assertThat(ask(APP)).isEqualTo(200);
    assertThat(house.last()).as("the same key under its former hash").isEqualTo("beta own-beta");
  }

  @Test
  @DisplayName("is known to other nodes at once, and its former plaintext ends there as well")
  void nodes() {
    try (var other = new House("", house)) {
      assertThat(other.ask(APP, "acme/small").status()).isEqualTo(200);
      String key = plaintext(rotate(OLD, "{'overlap_seconds':60}"));
      assertThat(other.ask(key, "acme/small").status()).as("before it looked").isEqualTo(200);
      other.look(2);
      assertThat(other.ask(APP, "acme/small").status()).isEqualTo(200);
      rotate(OLD, "{'overlap_seconds':0}");
      other.look(2);
      assertThat(other.ask(APP, "acme/small").status()).isEqualTo(401);
      assertThat(other.ask(key, "acme/small").status()).isEqualTo(401);
    }
  }

  @Test
  @DisplayName("of the configuration file is not made anew by the next start")
  void start() {
    String key = plaintext(rotate(OLD, "{}"));
    try (var restarted = new House("", house)) {
      assertThat(restarted.ask(APP, "acme/small").status()).isEqualTo(401);
      assertThat(restarted.ask(key, "acme/small").status()).isEqualTo(200);
      assertThat(restarted.get("/keys?include_disabled=true").list()).hasSize(2);
    }
  }

  @Test
  @DisplayName("may be a management key, which rotates itself and stays the last that works")
  void management() {
    String admin = hash(House.ADMIN);
    String key = plaintext(rotate(admin, "{'overlap_seconds':60}"));
    assertThat(house.send(key, "GET", "/keys", "").status()).isEqualTo(200);
    Answer refused = house.send(key, "DELETE", "/keys/" + hash(key), "");
    assertThat(refused.message()).startsWith("This is the last management key");
    house.ambient.advance(Duration.ofMinutes(1));
    assertThat(house.get("/keys").status()).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'overlap_seconds':-1}|400|/overlap_seconds: must be a whole number from 0 to 604800",
        "{'overlap_seconds':604801}|400|/overlap_seconds: must be",
        "{'overlap_seconds':'60'}|400|/overlap_seconds: must be",
        "[]|400|the body must be an object",
      })
  @DisplayName("is not rotated by a body that is wrong")
  void wrong(String body, int status, String says) {
    Answer refused = house.manage("POST", "/keys/" + OLD + "/rotate", body);
    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.message()).contains(says);
    assertThat(ask(APP)).isEqualTo(200);
    String nobody = "/keys/" + "0".repeat(64) + "/rotate";
    assertThat(house.manage("POST", nobody, "{}").status()).isEqualTo(404);
    assertThat(house.send(APP, "POST", "/keys/" + OLD + "/rotate", "{}").status()).isEqualTo(403);
  }
}
