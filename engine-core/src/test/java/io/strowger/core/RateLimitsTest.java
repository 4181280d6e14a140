package io.strowger.core;

import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.EdgeGateway.Heard;
import io.strowger.spi.error.FailureKind;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A limit of rates")
class RateLimitsTest {
  private EdgeGateway edge = new EdgeGateway("");

  @AfterEach
  void close() {
    edge.close();
  }

  private void with(String more) {
    edge.close();
    edge = new EdgeGateway(more);
    edge.always(text("Noon."), finished());
  }

  private Heard free(String key) {
    return edge.chat("{'model':'acme/small:free','messages':[{'role':'user','content':'hi'}]}")
        .key(key)
        .header("x-router-metadata", "enabled")
        .send();
  }

  @Proves({"error.429", "resources.error.retry-after", "open.86"})
  @Test
  @DisplayName("of a key holds for each key by itself, and is told before the body is looked at")
  void ofKey() {
    with(",'limits':{'requests_per_minute':2}");
    assertThat(edge.says("hi").send().status()).isEqualTo(200);
    assertThat(edge.chat("no JSON").send().status()).as("failed, but counts").isEqualTo(400);
    Heard refused = edge.chat("no JSON").send();
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.at("error").text("message")).isEqualTo("Rate limit exceeded");
    assertThat(refused.header("X-RateLimit-Limit")).isEqualTo("2");
    assertThat(refused.header("X-RateLimit-Remaining")).isEqualTo("0");
    Instant reset =
        Instant.ofEpochMilli(Long.parseLong(String.valueOf(refused.header("X-RateLimit-Reset"))));
    assertThat(reset).isEqualTo(edge.ambient.now().plusSeconds(61));
    assertThat(refused.header("Retry-After")).isEqualTo("61");
    assertThat(edge.says("hi").key("sk-two").send().status()).isEqualTo(200);
    edge.ambient.advance(Duration.between(edge.ambient.now(), reset));
    assertThat(edge.says("hi").send().status()).isEqualTo(200);
  }

  @Proves({"error.429", "resources.batch.error.other"})
  @Test
  @DisplayName("is told in the words of each endpoint")
  void envelopes() {
    with(",'limits':{'requests_per_minute':1}");
    edge.says("hi").send();
    Heard messages = edge.ask("/messages", "{}").send();
    assertThat(messages.status()).isEqualTo(429);
    assertThat(messages.text()).contains("\"type\":\"rate_limit_error\"");
    Heard responses = edge.ask("/responses", "{}").send();
    assertThat(responses.status()).isEqualTo(429);
    assertThat(responses.json().text("error_type")).isEqualTo("rate_limit_exceeded");
  }

  @Test
  @DisplayName("never holds for management keys, which could not lift it otherwise")
  void management() {
    with(",'limits':{'requests_per_minute':1}");
    for (int i = 0; i < 5; i++) {
      assertThat(edge.chat("{}").key("sk-admin").send().status()).isEqualTo(403);
    }
  }

  @Proves("routing.variant.free-limits")
  @Test
  @DisplayName("of free models is 20 a minute, for all keys together, and for free models only")
  void freeModels() {
    with("");
    for (int i = 0; i < 20; i++) {
      assertThat(free(i % 2 == 0 ? "sk-one" : "sk-two").status()).isEqualTo(200);
    }
    Heard refused = free("sk-two");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("X-RateLimit-Limit")).isEqualTo("20");
    assertThat(refused.text()).doesNotContain("router_metadata");
    assertThat(edge.says("hi").send().status()).isEqualTo(200);
    assertThat(edge.calls()).hasSize(21);
  }

  @Proves("routing.variant.free-limits")
  @ParameterizedTest
  @CsvSource({"'', 1000", "',\"credits\":\"9.99\"', 50", "',\"credits\":\"10\"', 1000"})
  @DisplayName("of free models is 50 a day, and 1000 with 10 credits")
  void freeModelsADay(String credits, int most) {
    with(credits + ",'limits':{'free_requests_per_minute':0}");
    for (int i = 0; i < most; i++) {
      edge.ambient.advance(Duration.ofSeconds(10));
      assertThat(free("sk-one").status()).isEqualTo(200);
    }
    Heard refused = free("sk-one");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("X-RateLimit-Limit")).isEqualTo(Integer.toString(most));
    assertThat(refused.header("X-RateLimit-Reset"))
        .isEqualTo(Long.toString(Instant.parse("2026-11-22T00:00:00Z").toEpochMilli()));
  }

  @Test
  @DisplayName("counts requests that fail later")
  void failed() {
    edge.close();
    edge = new EdgeGateway(",'limits':{'free_requests_per_day':2}");
    edge.upstream.alwaysRefuses(failure(FailureKind.INVALID_REQUEST));
    assertThat(free("sk-one").status()).isEqualTo(400);
    assertThat(free("sk-one").status()).isEqualTo(400);
    assertThat(free("sk-one").status()).isEqualTo(429);
  }
}
