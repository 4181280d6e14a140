package io.strowger.core;

import static io.strowger.core.House.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.House.Answer;
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

@DisplayName("What a key spends")
class KeySpendingTest {
  /** What every answer costs at beta's price of half a thousandth for eleven tokens. */
  private static final String BILL = "0.0055";

  // what is held for it is 0.017: the prompt by its bytes, and the output by its limit

  private final TestAmbient ambient = TestAmbient.at("2026-11-22T23:59:59Z"); // a Sunday
  private final House house = new House("", new MemoryStores(), ambient, SecretKeySource.NONE);

  @AfterEach
  void noThreads() {
    house.close();
    ambient.assertNoThreadsLeft();
  }

  private Answer create(String body) {
    return house.manage("POST", "/keys", body);
  }

  private static String plaintext(Answer created) {
    return Objects.requireNonNull(created.body().text("key"));
  }

  private Json.Obj read(Answer created) {
    return house.get("/keys/" + created.text("hash")).data();
  }

  private static Json usd(String dollars) {
    return Json.of(new BigDecimal(dollars));
  }

  @Proves({"key.usage", "key.last_used_at"})
  @Test
  @DisplayName("is told by day, week, month and in all, and when it was last used")
  void usage() {
    Answer created = create("{'name':'n','limit':1,'limit_reset':'daily'}");
    assertThat(house.ask(plaintext(created), "acme/small").status()).isEqualTo(200);
    Json.Obj key = read(created);
    for (String name : new String[] {"usage", "usage_daily", "usage_weekly", "usage_monthly"}) {
      assertThat(key.get(name)).as(name).isEqualTo(usd(BILL));
      assertThat(key.get("byok_" + name)).as(name).isEqualTo(Json.of(0));
    }
    assertThat(key.get("limit_remaining")).isEqualTo(usd("0.9945"));
    assertThat(key.text("last_used_at")).isEqualTo("2026-11-22T23:59:59Z");
    Json.Obj told = house.send(plaintext(created), "GET", "/key", "").data();
    assertThat(told.get("usage_daily")).isEqualTo(usd(BILL));
    assertThat(told.get("limit_remaining")).isEqualTo(usd("0.9945"));
  }

  @Test
  @DisplayName("has a time of its last use in microseconds, like every other time")
  void lastUsedInMicroseconds() {
    Answer created = create("{'name':'n'}");
    ambient.advance(Duration.ofNanos(123_456_789));
    assertThat(house.ask(plaintext(created), "acme/small").status()).isEqualTo(200);
    assertThat(read(created).text("last_used_at")).isEqualTo("2026-11-22T23:59:59.123456Z");
  }

  @Proves({"limit.reset", "resources.key.limit", "resources.key.KY-2"})
  @Test
  @DisplayName("KY-2: starts anew on Monday at midnight where it is counted by weeks")
  void week() {
    Answer created = create("{'name':'n','limit':0.02,'limit_reset':'weekly'}");
    String key = plaintext(created);
    assertThat(house.ask(key, "acme/small").status()).isEqualTo(200);
    assertThat(read(created).get("limit_remaining")).isEqualTo(usd("0.0145"));
    assertThat(house.ask(key, "acme/small").status()).isEqualTo(402);
    ambient.advance(Duration.ofSeconds(1));
    Json.Obj monday = read(created);
    assertThat(monday.get("usage_weekly")).isEqualTo(Json.of(0));
    assertThat(monday.get("usage_daily")).isEqualTo(Json.of(0));
    assertThat(monday.get("usage_monthly")).isEqualTo(usd(BILL));
    assertThat(monday.get("usage")).isEqualTo(usd(BILL));
    assertThat(monday.get("limit_remaining")).isEqualTo(usd("0.02"));
    assertThat(house.ask(key, "acme/small").status()).isEqualTo(200);
  }

  @Proves("resources.key.KY-6")
  @Test
  @DisplayName("KY-6: is without bounds at once when its limit is cleared, and with them again")
  void cleared() {
    Answer created = create("{'name':'n','limit':0}");
    String key = plaintext(created);
    String path = "/keys/" + created.text("hash");
    assertThat(house.ask(key, "acme/small").status()).isEqualTo(402);
    house.manage("PATCH", path, "{'limit':null}");
    assertThat(house.ask(key, "acme/small").status()).isEqualTo(200);
    house.manage("PATCH", path, "{'limit':0.001}");
    assertThat(house.ask(key, "acme/small").status()).isEqualTo(402);
  }

  @Proves("resources.record.credits")
  @Test
  @DisplayName("is what the account spends, and credits are told with it")
  void credits() {
    try (var poor = new House("'credits':'0.02'", house)) {
      assertThat(poor.get("/credits").data())
          .isEqualTo(House.json("{'total_credits':0.02,'total_usage':0}"));
      assertThat(poor.ask(APP, "acme/small").status()).isEqualTo(200);
      assertThat(poor.get("/credits").data())
          .isEqualTo(House.json("{'total_credits':0.02,'total_usage':0.0055}"));
      assertThat(poor.ask(APP, "acme/small").status()).isEqualTo(402);
      assertThat(poor.send(APP, "GET", "/credits", "").status()).isEqualTo(403);
    }
  }
}
