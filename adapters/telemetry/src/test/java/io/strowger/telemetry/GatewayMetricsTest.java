package io.strowger.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.LoadSnapshot;
import io.strowger.spi.observe.LoadSnapshot.Breaker;
import io.strowger.spi.observe.LoadSnapshot.EndpointLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The metrics of a gateway")
class GatewayMetricsTest {
  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  private static Endpoint endpoint(String model, String provider) {
    return Endpoint.builder(model, new ProviderInfo(provider, provider, false, false, null, false))
        .build();
  }

  private static CallRecord.Attempt attempt(Endpoint to, @Nullable FailureKind failure) {
    var outcome = failure == null ? CallRecord.Outcome.COMPLETE : CallRecord.Outcome.ERROR;
    return new CallRecord.Attempt(
        0,
        null,
        to,
        new CallRecord.Times(0, failure == null ? 2_000_000 : -1, 5_000_000),
        new CallRecord.Ending(outcome, failure == null ? 200 : 503, failure, null, null),
        new CallRecord.Line(
            to.id(),
            failure == null
                ? Usage.builder().freshInput(7).cacheRead(3).outputText(5).build()
                : Usage.NONE,
            failure == null ? new Usd(1_000) : Usd.ZERO));
  }

  private static CallRecord record(String requested, CallRecord.Attempt attempt) {
    boolean good = attempt.ending().failure() == null;
    return CallRecord.builder("gen-1", Instant.EPOCH, attempt.ending().outcome())
        .requested(requested)
        .endpoint(good ? attempt.endpoint().id() : null)
        .error(good ? null : ErrorCode.TEMPORARILY_UNAVAILABLE)
        .lines(List.of(attempt.line()))
        .attempts(List.of(attempt))
        .firstContentNanos(good ? 2_000_000 : -1)
        .totalNanos(6_000_000)
        .build();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  @Test
  @DisplayName("count tokens by type, each once, and the money that was paid")
  void tokens() {
    var metrics = new GatewayMetrics(registry);
    metrics.accept(record("m", attempt(endpoint("acme/m", "alpha"), null)));
    assertThat(count("strowger.tokens", "type", "input")).isEqualTo(7);
    assertThat(count("strowger.tokens", "type", "cache_read")).isEqualTo(3);
    assertThat(count("strowger.tokens", "type", "output")).isEqualTo(5);
    assertThat(count("strowger.cost.usd", "provider", "alpha")).isEqualTo(1e-6);
  }

  @Test
  @DisplayName("count what plugins paid for apart from attempts")
  void acts() {
    CallRecord record =
        CallRecord.builder("gen-1", Instant.EPOCH, CallRecord.Outcome.COMPLETE)
            .lines(List.of(new CallRecord.Line("web: search", Usage.NONE, new Usd(5_000_000))))
            .build();
    new GatewayMetrics(registry).accept(record);
    assertThat(count("strowger.cost.usd", "endpoint", "none")).isEqualTo(0.005);
  }

  @Test
  @DisplayName("stay as few however many models and endpoints there are, and whatever is asked for")
  void cardinality() {
    var metrics = new GatewayMetrics(registry, 10);
    var endpoints = new LinkedHashMap<String, EndpointLoad>();
    metrics.watch(() -> new LoadSnapshot(0, 0, 0, Map.of("memory", 0L), 0, Usd.ZERO, endpoints));
    int before = 0;
    for (int i = 0; i < 2_000; i++) {
      Endpoint to = endpoint("acme/model-" + i, "provider-" + i);
      endpoints.put(to.id(), new EndpointLoad(0, 0, Breaker.CLOSED));
      metrics.accept(record("what callers ask for " + i, attempt(to, null)));
      metrics.accept(record("what callers ask for " + i, attempt(to, FailureKind.OVERLOADED)));
      if (i == 20) {
        before = registry.getMeters().size();
      }
    }
    assertThat(registry.getMeters()).hasSize(before);
    assertThat(registry.getMeters())
        .filteredOn(meter -> !meter.getId().getName().endsWith(".histogram")) // one a bucket
        .hasSizeLessThan(200);
    for (Meter meter : registry.getMeters()) {
      assertThat(meter.getId().toString()).doesNotContain("what callers ask for");
    }
    assertThat(count("strowger.requests", "model", "other", "outcome", "complete"))
        .isEqualTo(1_990);
    assertThat(count("strowger.requests", "model", "acme/model-9", "outcome", "complete"))
        .isEqualTo(1);
  }

  @Test
  @DisplayName("ask the gateway once a second however many gauges are read")
  void fresh() {
    var asked = new AtomicInteger();
    new GatewayMetrics(registry)
        .watch(
            () -> new LoadSnapshot(asked.incrementAndGet(), 0, 0, Map.of(), 0, Usd.ZERO, Map.of()));
    assertThat(registry.get("strowger.requests.in.flight").gauge().value()).isEqualTo(1);
    assertThat(registry.get("strowger.requests.in.flight").gauge().value()).isEqualTo(1);
    clock.add(Duration.ofSeconds(1));
    assertThat(registry.get("strowger.requests.in.flight").gauge().value()).isEqualTo(2);
  }
}
