package io.strowger.core;

import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.json.Json;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The spending of a key")
class KeySpendingTest {
  /**
   * The cost of every answer: eleven tokens at $0.0005. The hold for a request is $0.017, for the
   * bytes of the prompt and the limit on the output.
   */
  private static final String BILL = "0.0055";

  private final TestAmbient ambient = TestAmbient.at("2026-11-22T23:59:59Z"); // a Sunday
  private final TestServer server =
      new TestServer("", new MemoryStores(), ambient, SecretKeySource.NONE);

  @AfterEach
  void noThreads() {
    server.close();
    ambient.assertNoThreadsLeft();
  }

  private Answer create(String body) {
    return server.manage("POST", "/keys", body);
  }

  private static String plaintext(Answer created) {
    return Objects.requireNonNull(created.body().text("key"));
  }

  private Json.Obj read(Answer created) {
    return server.get("/keys/" + created.text("hash")).data();
  }

  private static Json usd(String dollars) {
    return Json.of(new BigDecimal(dollars));
  }

  @Proves({"key.usage", "key.last_used_at"})
  @Test
  @DisplayName("is shown per day, week, month and in total, with the time of the last use")
  void usage() {
    Answer created = create("{'name':'n','limit':1,'limit_reset':'daily'}");
    assertThat(server.ask(plaintext(created), "acme/small").status()).isEqualTo(200);
    Json.Obj key = read(created);
    for (String name : new String[] {"usage", "usage_daily", "usage_weekly", "usage_monthly"}) {
      assertThat(key.get(name)).as(name).isEqualTo(usd(BILL));
      assertThat(key.get("byok_" + name)).as(name).isEqualTo(Json.of(0));
    }
    assertThat(key.get("limit_remaining")).isEqualTo(usd("0.9945"));
    assertThat(key.text("last_used_at")).isEqualTo("2026-11-22T23:59:59Z");
    Json.Obj ownView = server.send(plaintext(created), "GET", "/key", "").data();
    assertThat(ownView.get("usage_daily")).isEqualTo(usd(BILL));
    assertThat(ownView.get("limit_remaining")).isEqualTo(usd("0.9945"));
  }

  @Test
  @DisplayName("has the time of the last use in microseconds, like every other time")
  void lastUsedInMicroseconds() {
    Answer created = create("{'name':'n'}");
    ambient.advance(Duration.ofNanos(123_456_789));
    assertThat(server.ask(plaintext(created), "acme/small").status()).isEqualTo(200);
    assertThat(read(created).text("last_used_at")).isEqualTo("2026-11-22T23:59:59.123456Z");
  }

  @Proves({"limit.reset", "resources.key.limit", "resources.key.KY-2"})
  @Test
  @DisplayName("KY-2: starts again at midnight on Monday if the limit is weekly")
  void week() {
    Answer created = create("{'name':'n','limit':0.02,'limit_reset':'weekly'}");
    String key = plaintext(created);
    assertThat(server.ask(key, "acme/small").status()).isEqualTo(200);
    assertThat(read(created).get("limit_remaining")).isEqualTo(usd("0.0145"));
    assertThat(server.ask(key, "acme/small").status()).isEqualTo(402);
    ambient.advance(Duration.ofSeconds(1));
    Json.Obj monday = read(created);
    assertThat(monday.get("usage_weekly")).isEqualTo(Json.of(0));
    assertThat(monday.get("usage_daily")).isEqualTo(Json.of(0));
    assertThat(monday.get("usage_monthly")).isEqualTo(usd(BILL));
    assertThat(monday.get("usage")).isEqualTo(usd(BILL));
    assertThat(monday.get("limit_remaining")).isEqualTo(usd("0.02"));
    assertThat(server.ask(key, "acme/small").status()).isEqualTo(200);
  }

  @Proves("resources.key.KY-6")
  @Test
  @DisplayName("KY-6: is unlimited at once when the limit is cleared, and limited by a new one")
  void cleared() {
    Answer created = create("{'name':'n','limit':0}");
    String key = plaintext(created);
    String path = "/keys/" + created.text("hash");
    assertThat(server.ask(key, "acme/small").status()).isEqualTo(402);
    server.manage("PATCH", path, "{'limit':null}");
    assertThat(server.ask(key, "acme/small").status()).isEqualTo(200);
    server.manage("PATCH", path, "{'limit':0.001}");
    assertThat(server.ask(key, "acme/small").status()).isEqualTo(402);
  }

  @Proves("resources.record.credits")
  @Test
  @DisplayName("is part of the account's usage, which is shown with the credits")
  void credits() {
    try (var limited = new TestServer("'credits':'0.02'", server)) {
      assertThat(limited.get("/credits").data())
          .isEqualTo(TestServer.json("{'total_credits':0.02,'total_usage':0}"));
      assertThat(limited.ask(APP, "acme/small").status()).isEqualTo(200);
      assertThat(limited.get("/credits").data())
          .isEqualTo(TestServer.json("{'total_credits':0.02,'total_usage':0.0055}"));
      assertThat(limited.ask(APP, "acme/small").status()).isEqualTo(402);
      assertThat(limited.send(APP, "GET", "/credits", "").status()).isEqualTo(403);
    }
  }
}
