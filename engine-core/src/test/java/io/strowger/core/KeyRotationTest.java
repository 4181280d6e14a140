package io.strowger.core;

import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
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
  private static final String OLD_HASH = hash(APP);

  private final TestServer server =
      new TestServer(
          "'store':{'secret_key':'" + Base64.getEncoder().encodeToString(new byte[32]) + "'}");

  @AfterEach
  void noThreads() {
    server.close();
    server.ambient.assertNoThreadsLeft();
  }

  private static String hash(String plaintext) {
    return Authenticator.id(new Credential(plaintext)).hex();
  }

  private Answer rotate(String hash, String body) {
    Answer rotated = server.manage("POST", "/keys/" + hash + "/rotate", body);
    assertThat(rotated.message()).isEmpty();
    assertThat(rotated.status()).isEqualTo(200);
    return rotated;
  }

  private static String plaintext(Answer created) {
    return Objects.requireNonNull(created.body().text("key"));
  }

  private int ask(String key) {
    return server.ask(key, "acme/small").status();
  }

  @Test
  @DisplayName("gets a new plaintext and hash, and is otherwise the same key")
  void answer() {
    server.manage("PATCH", "/keys/" + OLD_HASH, "{'limit':5,'limit_reset':'daily','name':'mine'}");
    assertThat(ask(APP)).isEqualTo(200);
    Json.Obj before = server.get("/keys/" + OLD_HASH).data();
    server.ambient.advance(Duration.ofSeconds(1));
    Answer rotated = rotate(OLD_HASH, "");
    String key = plaintext(rotated);
    assertThat(key).matches("sk-[A-Za-z0-9_-]{43}");
    assertThat(rotated.text("hash")).isEqualTo(hash(key)).isNotEqualTo(OLD_HASH);
    assertThat(rotated.text("updated_at")).isEqualTo("2026-11-21T12:00:01Z");
    for (String changed : new String[] {"hash", "label", "updated_at"}) {
      before = before.without(changed);
    }
    assertThat(rotated.data().without("hash").without("label").without("updated_at"))
        .isEqualTo(before);
    assertThat(ask(key)).isEqualTo(200);
    assertThat(ask(APP)).as("rotated without an overlap").isEqualTo(401);
    assertThat(server.get("/keys").list()).hasSize(2);
    assertThat(server.get("/keys/" + hash(key)).text("name")).isEqualTo("mine");
    assertThat(server.get("/keys/" + OLD_HASH).text("hash"))
        .as("the former hash still finds the key")
        .isEqualTo(hash(key));
    assertThat(server.send(key, "GET", "/key", "").text("label")).isEqualTo(rotated.text("label"));
  }

  @Test
  @DisplayName("accepts its former plaintext exactly during the overlap")
  void overlap() {
    String key = plaintext(rotate(OLD_HASH, "{'overlap_seconds':60}"));
    assertThat(ask(APP)).isEqualTo(200);
    server.ambient.advance(Duration.ofSeconds(59));
    assertThat(ask(APP)).isEqualTo(200);
    server.ambient.advance(Duration.ofSeconds(1));
    assertThat(ask(APP)).isEqualTo(401);
    assertThat(ask(key)).isEqualTo(200);
  }

  @Test
  @DisplayName(
      "again accepts every former plaintext at most during the overlap of the last rotation")
  void again() {
    String first = plaintext(rotate(OLD_HASH, "{'overlap_seconds':600}"));
    assertThat(ask(APP)).isEqualTo(200);
    assertThat(ask(first)).isEqualTo(200);
    String second = plaintext(rotate(hash(first), "{'overlap_seconds':60}"));
    assertThat(ask(APP)).isEqualTo(200);
    String third = plaintext(rotate(OLD_HASH, "{'overlap_seconds':30}"));
    server.ambient.advance(Duration.ofSeconds(29));
    for (String valid : new String[] {APP, first, second, third}) {
      assertThat(ask(valid)).isEqualTo(200);
    }
    server.ambient.advance(Duration.ofSeconds(1));
    for (String former : new String[] {APP, first, second}) {
      assertThat(ask(former)).isEqualTo(401);
      assertThat(server.get("/keys/" + hash(former)).text("hash")).isEqualTo(hash(third));
    }
    assertThat(ask(third)).isEqualTo(200);
  }

  @Test
  @DisplayName("has one limit and one spending counter for all its plaintexts")
  void oneCounter() {
    server.manage("PATCH", "/keys/" + OLD_HASH, "{'limit':0.05}");
    String key = plaintext(rotate(OLD_HASH, "{'overlap_seconds':60}"));
    int served = 0;
    for (int i = 0; i < 20; i++) {
      served += ask(i % 2 == 0 ? APP : key) == 200 ? 1 : 0;
    }
    Json.Obj after = server.get("/keys/" + hash(key)).data();
    // each request costs 0.0055; its hold must fit into the rest of the limit
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
  @DisplayName("keeps its guardrail, which can be removed or assigned by the new hash")
  void guardrail() {
    String guardrail =
        server
            .manage("POST", "/guardrails", "{'name':'g','allowed_models':['acme/large']}")
            .text("id");
    String assignments = "/guardrails/" + guardrail + "/assignments/keys";
    server.manage("POST", assignments, "{'key_hashes':['" + OLD_HASH + "']}");
    assertThat(ask(APP)).isNotEqualTo(200);
    String key = plaintext(rotate(OLD_HASH, "{'overlap_seconds':60}"));
    assertThat(ask(key)).isNotEqualTo(200);
    assertThat(ask(APP)).isNotEqualTo(200);
    assertThat(server.get(assignments).list())
        .extracting(assignment -> assignment.text("key_hash"))
        .containsExactly(hash(key));
    Answer removed =
        server.manage("POST", assignments + "/remove", "{'key_hashes':['" + hash(key) + "']}");
    assertThat(removed.body().get("unassigned_count")).isEqualTo(Json.of(1));
    assertThat(ask(key)).isEqualTo(200);
    server.manage("POST", assignments, "{'key_hashes':['" + hash(key) + "']}");
    assertThat(ask(key)).as("assigned by its new hash").isNotEqualTo(200);
    assertThat(server.manage("DELETE", "/keys/" + OLD_HASH, "").status()).isEqualTo(200);
    assertThat(server.get(assignments).list()).isEmpty();
  }

  @Test
  @DisplayName("can use BYOK keys that list its former or its new hash")
  void byok() {
    String body = "{'provider':'beta','key':'own-beta','allowed_api_key_hashes':['%s']}";
    server.manage("POST", "/byok", body.formatted(OLD_HASH));
    assertThat(ask(APP)).isEqualTo(200);
    assertThat(server.lastUpstream()).isEqualTo("beta own-beta");
    String key = plaintext(rotate(OLD_HASH, "{'overlap_seconds':60}"));
    assertThat(ask(key)).isEqualTo(200);
    assertThat(server.lastUpstream()).isEqualTo("beta own-beta");
    Answer byokKeys = server.get("/byok");
    String id = Objects.requireNonNull(byokKeys.list().getFirst().text("id"));
    server.manage("PATCH", "/byok/" + id, "{'allowed_api_key_hashes':['" + hash(key) + "']}");
    assertThat(ask(APP)).isEqualTo(200);
    assertThat(server.lastUpstream())
        .as("the same key under its former hash")
        .isEqualTo("beta own-beta");
  }

  @Test
  @DisplayName("is accepted by other nodes at once, where its former plaintext ends, too")
  void nodes() {
    try (var other = new TestServer("", server)) {
      assertThat(other.ask(APP, "acme/small").status()).isEqualTo(200);
      String key = plaintext(rotate(OLD_HASH, "{'overlap_seconds':60}"));
      assertThat(other.ask(key, "acme/small").status())
          .as("before it polled the store")
          .isEqualTo(200);
      other.awaitStorePoll(2);
      assertThat(other.ask(APP, "acme/small").status()).isEqualTo(200);
      rotate(OLD_HASH, "{'overlap_seconds':0}");
      other.awaitStorePoll(2);
      assertThat(other.ask(APP, "acme/small").status()).isEqualTo(401);
      assertThat(other.ask(key, "acme/small").status()).isEqualTo(401);
    }
  }

  @Test
  @DisplayName("of the configuration file is not created again by the next start")
  void start() {
    String key = plaintext(rotate(OLD_HASH, "{}"));
    try (var restarted = new TestServer("", server)) {
      assertThat(restarted.ask(APP, "acme/small").status()).isEqualTo(401);
      assertThat(restarted.ask(key, "acme/small").status()).isEqualTo(200);
      assertThat(restarted.get("/keys?include_disabled=true").list()).hasSize(2);
    }
  }

  @Test
  @DisplayName("may be the last management key, which rotates itself and still cannot be deleted")
  void management() {
    String admin = hash(TestServer.ADMIN);
    String key = plaintext(rotate(admin, "{'overlap_seconds':60}"));
    assertThat(server.send(key, "GET", "/keys", "").status()).isEqualTo(200);
    Answer refused = server.send(key, "DELETE", "/keys/" + hash(key), "");
    assertThat(refused.message()).startsWith("This is the last management key");
    server.ambient.advance(Duration.ofMinutes(1));
    assertThat(server.get("/keys").status()).isEqualTo(401);
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
  @DisplayName("is not rotated by a wrong body")
  void wrong(String body, int status, String reason) {
    Answer refused = server.manage("POST", "/keys/" + OLD_HASH + "/rotate", body);
    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.message()).contains(reason);
    assertThat(ask(APP)).isEqualTo(200);
    String unknownKey = "/keys/" + "0".repeat(64) + "/rotate";
    assertThat(server.manage("POST", unknownKey, "{}").status()).isEqualTo(404);
    assertThat(server.send(APP, "POST", "/keys/" + OLD_HASH + "/rotate", "{}").status())
        .isEqualTo(403);
  }
}
