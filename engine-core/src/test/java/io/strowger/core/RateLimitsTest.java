package io.strowger.core;

import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ScriptedServer.TestResponse;
import io.strowger.spi.error.FailureKind;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A rate limit")
class RateLimitsTest {
  private ScriptedServer server = new ScriptedServer("");

  @AfterEach
  void close() {
    server.close();
  }

  private void reopen(String members) {
    server.close();
    server = new ScriptedServer(members);
    server.always(text("Noon."), finished());
  }

  private TestResponse askFreeModel(String key) {
    return server
        .postChat("{'model':'acme/small:free','messages':[{'role':'user','content':'hi'}]}")
        .key(key)
        .header("x-router-metadata", "enabled")
        .send();
  }

  @Proves({"error.429", "resources.error.retry-after", "open.86"})
  @Test
  @DisplayName("applies to each key separately and is checked before the body is decoded")
  void ofKey() {
    reopen(",'limits':{'requests_per_minute':2}");
    assertThat(server.prompt("hi").send().status()).isEqualTo(200);
    assertThat(server.postChat("no JSON").send().status()).as("a wrong body counts").isEqualTo(400);
    TestResponse refused = server.postChat("no JSON").send();
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.at("error").text("message")).isEqualTo("Rate limit exceeded");
    assertThat(refused.header("X-RateLimit-Limit")).isEqualTo("2");
    assertThat(refused.header("X-RateLimit-Remaining")).isEqualTo("0");
    Instant reset =
        Instant.ofEpochMilli(Long.parseLong(String.valueOf(refused.header("X-RateLimit-Reset"))));
    assertThat(reset).isEqualTo(server.ambient.now().plusSeconds(61));
    assertThat(refused.header("Retry-After")).isEqualTo("61");
    assertThat(server.prompt("hi").key("sk-two").send().status()).isEqualTo(200);
    server.ambient.advance(Duration.between(server.ambient.now(), reset));
    assertThat(server.prompt("hi").send().status()).isEqualTo(200);
  }

  @Proves({"error.429", "resources.batch.error.other"})
  @Test
  @DisplayName("is reported in the error format of each API")
  void envelopes() {
    reopen(",'limits':{'requests_per_minute':1}");
    server.prompt("hi").send();
    TestResponse messages = server.post("/messages", "{}").send();
    assertThat(messages.status()).isEqualTo(429);
    assertThat(messages.text()).contains("\"type\":\"rate_limit_error\"");
    TestResponse responses = server.post("/responses", "{}").send();
    assertThat(responses.status()).isEqualTo(429);
    assertThat(responses.json().text("error_type")).isEqualTo("rate_limit_exceeded");
  }

  @Test
  @DisplayName("never applies to management keys, which must be able to raise it")
  void management() {
    reopen(",'limits':{'requests_per_minute':1}");
    for (int i = 0; i < 5; i++) {
      assertThat(server.postChat("{}").key("sk-admin").send().status()).isEqualTo(403);
    }
  }

  @Proves("routing.variant.free-limits")
  @Test
  @DisplayName("of free models is 20 requests a minute for all keys together")
  void freeModels() {
    reopen("");
    for (int i = 0; i < 20; i++) {
      assertThat(askFreeModel(i % 2 == 0 ? "sk-one" : "sk-two").status()).isEqualTo(200);
    }
    TestResponse refused = askFreeModel("sk-two");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("X-RateLimit-Limit")).isEqualTo("20");
    assertThat(refused.text()).doesNotContain("router_metadata");
    assertThat(server.prompt("hi").send().status()).isEqualTo(200);
    assertThat(server.calls()).hasSize(21);
  }

  @Proves("routing.variant.free-limits")
  @ParameterizedTest
  @CsvSource({"'', 1000", "',\"credits\":\"9.99\"', 50", "',\"credits\":\"10\"', 1000"})
  @DisplayName("of free models is 50 requests a day, and 1000 with 10 credits or unlimited credit")
  void freeModelsADay(String credits, int dailyLimit) {
    reopen(credits + ",'limits':{'free_requests_per_minute':0}");
    for (int i = 0; i < dailyLimit; i++) {
      server.ambient.advance(Duration.ofSeconds(10));
      assertThat(askFreeModel("sk-one").status()).isEqualTo(200);
    }
    TestResponse refused = askFreeModel("sk-one");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("X-RateLimit-Limit")).isEqualTo(Integer.toString(dailyLimit));
    assertThat(refused.header("X-RateLimit-Reset"))
        .isEqualTo(Long.toString(Instant.parse("2026-11-22T00:00:00Z").toEpochMilli()));
  }

  @Test
  @DisplayName("counts requests that later fail")
  void failed() {
    server.close();
    server = new ScriptedServer(",'limits':{'free_requests_per_day':2}");
    server.upstream.alwaysRefuses(failure(FailureKind.INVALID_REQUEST));
    assertThat(askFreeModel("sk-one").status()).isEqualTo(400);
    assertThat(askFreeModel("sk-one").status()).isEqualTo(400);
    assertThat(askFreeModel("sk-one").status()).isEqualTo(429);
  }
}
