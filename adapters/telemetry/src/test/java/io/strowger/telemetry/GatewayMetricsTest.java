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
import io.strowger.spi.observe.LoadSnapshot.DestinationLoad;
import io.strowger.spi.observe.LoadSnapshot.EndpointLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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
        new CallRecord.CallTimes(0, failure == null ? 2_000_000 : -1, 5_000_000),
        new CallRecord.Ending(outcome, failure == null ? 200 : 503, failure, null, null),
        new CallRecord.BillLine(
            to.id(),
            failure == null
                ? Usage.builder().freshInput(7).cacheRead(3).outputText(5).build()
                : Usage.NONE,
            failure == null ? new Usd(1_000) : Usd.ZERO));
  }

  private static CallRecord record(String requested, CallRecord.Attempt attempt) {
    boolean succeeded = attempt.ending().failure() == null;
    return CallRecord.builder("gen-1", Instant.EPOCH, attempt.ending().outcome())
        .requestedModel(requested)
        .endpoint(succeeded ? attempt.endpoint().id() : null)
        .error(succeeded ? null : ErrorCode.TEMPORARILY_UNAVAILABLE)
        .billLines(List.of(attempt.billLine()))
        .attempts(List.of(attempt))
        .firstContentNanos(succeeded ? 2_000_000 : -1)
        .totalNanos(6_000_000)
        .build();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  @Test
  @DisplayName("count each token once, by its type, and the cost")
  void tokens() {
    var metrics = new GatewayMetrics(registry);
    metrics.accept(record("m", attempt(endpoint("acme/m", "alpha"), null)));
    assertThat(count("strowger.tokens", "type", "input")).isEqualTo(7);
    assertThat(count("strowger.tokens", "type", "cache_read")).isEqualTo(3);
    assertThat(count("strowger.tokens", "type", "output")).isEqualTo(5);
    assertThat(count("strowger.cost.usd", "provider", "alpha")).isEqualTo(1e-6);
  }

  @Test
  @DisplayName("count the cost of plugins separately from attempts")
  void pluginCosts() {
    CallRecord record =
        CallRecord.builder("gen-1", Instant.EPOCH, CallRecord.Outcome.COMPLETE)
            .billLines(
                List.of(new CallRecord.BillLine("web: search", Usage.NONE, new Usd(5_000_000))))
            .build();
    new GatewayMetrics(registry).accept(record);
    assertThat(count("strowger.cost.usd", "endpoint", "none")).isEqualTo(0.005);
  }

  @Test
  @DisplayName("are bounded in number, whatever models, endpoints and requests there are")
  void cardinality() {
    var metrics = new GatewayMetrics(registry, 10);
    var endpoints = new LinkedHashMap<String, EndpointLoad>();
    metrics.watch(
        () ->
            new LoadSnapshot(0, 0, 0, Map.of("memory", 0L), 0, Usd.ZERO, endpoints, 0, List.of()));
    int before = 0;
    for (int i = 0; i < 2_000; i++) {
      Endpoint to = endpoint("acme/model-" + i, "provider-" + i);
      endpoints.put(to.id(), new EndpointLoad(0, 0, Breaker.CLOSED));
      metrics.accept(record("requested model " + i, attempt(to, null)));
      metrics.accept(record("requested model " + i, attempt(to, FailureKind.OVERLOADED)));
      if (i == 20) {
        before = registry.getMeters().size();
      }
    }
    assertThat(registry.getMeters()).hasSize(before);
    assertThat(registry.getMeters())
        .filteredOn(meter -> !meter.getId().getName().endsWith(".histogram")) // one for each bucket
        .hasSizeLessThan(200);
    for (Meter meter : registry.getMeters()) {
      assertThat(meter.getId().toString()).doesNotContain("requested model");
    }
    assertThat(count("strowger.requests", "model", "other", "outcome", "complete"))
        .isEqualTo(1_990);
    assertThat(count("strowger.requests", "model", "acme/model-9", "outcome", "complete"))
        .isEqualTo(1);
  }

  @Test
  @DisplayName("keep the provider of an endpoint id that another provider takes over")
  void otherProvider() {
    var metrics = new GatewayMetrics(registry, 10);
    Endpoint first = endpoint("acme/m", "alpha");
    metrics.accept(record("m", attempt(first, null)));
    int before = registry.getMeters().size();
    for (int i = 0; i < 100; i++) {
      Endpoint later =
          Endpoint.builder("acme/m", new ProviderInfo("p" + i, "p" + i, false, false, null, false))
              .tag(first.tag())
              .build();
      assertThat(later.id()).isEqualTo(first.id());
      metrics.accept(record("m", attempt(later, null)));
    }
    assertThat(registry.getMeters()).hasSize(before);
    assertThat(count("strowger.attempts", "provider", "alpha")).isEqualTo(101);
  }

  @Test
  @DisplayName("count an attempt that the gateway itself failed as an error without a failure kind")
  void ownFailure() {
    Endpoint to = endpoint("acme/m", "alpha");
    var ended =
        new CallRecord.Attempt(
            0,
            null,
            to,
            new CallRecord.CallTimes(0, -1, 1),
            new CallRecord.Ending(CallRecord.Outcome.ERROR, 0, null, ErrorCode.INTERNAL, null),
            new CallRecord.BillLine(to.id(), Usage.NONE, Usd.ZERO));
    new GatewayMetrics(registry)
        .accept(
            CallRecord.builder("gen-1", Instant.EPOCH, CallRecord.Outcome.ERROR)
                .attempts(List.of(ended))
                .build());
    assertThat(count("strowger.attempts", "outcome", "error", "failure", "none")).isEqualTo(1);
  }

  @Test
  @DisplayName("count batch requests, but not in the durations")
  void batch() {
    new GatewayMetrics(registry)
        .accept(
            CallRecord.builder("gen-1", Instant.EPOCH, CallRecord.Outcome.COMPLETE)
                .batch(true)
                .firstContentNanos(5)
                .totalNanos(10)
                .build());
    assertThat(count("strowger.requests", "outcome", "complete")).isEqualTo(1);
    assertThat(registry.find("strowger.request.duration").timer()).isNull();
    assertThat(registry.find("strowger.request.first.content").timer()).isNull();
  }

  @Test
  @DisplayName("are removed when they are closed, so that another gateway can use the registry")
  void closed() {
    registry.counter("of.the.application").increment();
    for (int i = 1; i <= 2; i++) {
      int inFlight = i;
      try (var metrics = new GatewayMetrics(registry)) {
        metrics.watch(
            () ->
                new LoadSnapshot(
                    inFlight,
                    0,
                    0,
                    Map.of("memory", 0L),
                    0,
                    Usd.ZERO,
                    Map.of(),
                    0,
                    List.of(destination("d", 1, 1, 1))));
        metrics.accept(record("m", attempt(endpoint("acme/m", "alpha"), null)));
        assertThat(gauge("strowger.requests.in.flight")).isEqualTo(i);
        assertThat(count("strowger.requests")).isEqualTo(1);
      }
      assertThat(registry.getMeters())
          .extracting(meter -> meter.getId().getName())
          .containsExactly("of.the.application");
    }
  }

  @Test
  @DisplayName("show every figure of a watched gateway in its own gauge")
  void load() {
    var endpoints =
        Map.of(
            "acme/m@alpha", new EndpointLoad(11, 0, Breaker.OPEN),
            "acme/m@beta", new EndpointLoad(12, 0, Breaker.HALF_OPEN),
            "acme/m@gamma", new EndpointLoad(13, 0, Breaker.OPEN));
    var metrics = new GatewayMetrics(registry);
    metrics.watch(
        () ->
            new LoadSnapshot(
                1,
                2,
                3,
                Map.of("memory", 4L, "queue_full", 5L),
                6,
                new Usd(7_000_000_000L),
                endpoints,
                8,
                List.of()));
    assertThat(gauge("strowger.requests.in.flight")).isEqualTo(1);
    assertThat(gauge("strowger.requests.queued")).isEqualTo(2);
    assertThat(gauge("strowger.request.bodies.in.flight.bytes")).isEqualTo(3);
    assertThat(refusals("memory")).isEqualTo(4);
    assertThat(refusals("queue_full")).isEqualTo(5);
    assertThat(gauge("strowger.holds")).isEqualTo(6);
    assertThat(gauge("strowger.holds.usd")).isEqualTo(7);
    assertThat(gauge("strowger.batch.requests.in.flight")).isEqualTo(8);
    assertThat(gauge("strowger.breakers", "state", "open")).isEqualTo(2);
    assertThat(gauge("strowger.breakers", "state", "half_open")).isEqualTo(1);
    assertThat(gauge("strowger.breakers", "state", "closed")).isZero();
    metrics.accept(record("m", attempt(endpoint("acme/m", "alpha"), null)));
    assertThat(gauge("strowger.endpoint.in.flight", "endpoint", "acme/m@alpha")).isEqualTo(11);
    assertThat(gauge("strowger.endpoint.breaker", "endpoint", "acme/m@alpha")).isEqualTo(2);
  }

  private double refusals(String reason) {
    return registry.get("strowger.refusals").tag("reason", reason).functionCounter().count();
  }

  private static DestinationLoad destination(String id, long queued, long delivered, long full) {
    return new DestinationLoad(
        id,
        "webhook",
        queued,
        1_000 * queued,
        2 * queued,
        3_000 * queued,
        delivered,
        Map.of("queue_full", full),
        3,
        full > 0);
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  /** Returns metrics that watch a gateway with these destinations; the list may change. */
  private GatewayMetrics watching(int maxLabels, List<DestinationLoad> destinations) {
    var metrics = new GatewayMetrics(registry, maxLabels);
    metrics.watch(
        () -> new LoadSnapshot(0, 0, 0, Map.of(), 0, Usd.ZERO, Map.of(), 0, destinations));
    return metrics;
  }

  private void afterASecond(GatewayMetrics metrics) {
    clock.add(Duration.ofSeconds(1));
    metrics.refresh();
  }

  @Test
  @DisplayName("count the calls of a destination, also if it is added later or removed")
  void destinations() {
    var destinations = new ArrayList<DestinationLoad>();
    GatewayMetrics metrics = watching(10, destinations);
    destinations.add(destination("d", 5, 7, 2));
    afterASecond(metrics);
    assertThat(gauge("strowger.destination.queue.calls", "destination", "d")).isEqualTo(5);
    assertThat(gauge("strowger.destination.queue.bytes", "destination", "d")).isEqualTo(5_000);
    assertThat(gauge("strowger.destination.disk.calls", "destination", "d")).isEqualTo(10);
    assertThat(gauge("strowger.destination.disk.bytes", "destination", "d")).isEqualTo(15_000);
    assertThat(gauge("strowger.destination.failing", "type", "webhook")).isEqualTo(1);
    assertThat(count("strowger.destination.failed.requests")).isEqualTo(3);
    destinations.set(0, destination("d", 0, 10, 2));
    afterASecond(metrics);
    assertThat(count("strowger.destination.delivered", "destination", "d")).isEqualTo(10);
    assertThat(count("strowger.destination.dropped", "reason", "queue_full")).isEqualTo(2);
    destinations.clear();
    afterASecond(metrics);
    assertThat(count("strowger.destination.delivered", "destination", "d")).isEqualTo(10);
    assertThat(gauge("strowger.destination.failing")).isZero();
    destinations.add(destination("d", 0, 1, 0));
    afterASecond(metrics);
    assertThat(count("strowger.destination.delivered", "destination", "d")).isEqualTo(11);
  }

  @Test
  @DisplayName("add up destinations beyond the bound of labels, and never decrease")
  void manyDestinations() {
    var destinations = new ArrayList<DestinationLoad>();
    for (int i = 0; i < 50; i++) {
      destinations.add(destination("d" + i, 1, 2, 0));
    }
    GatewayMetrics metrics = watching(10, destinations);
    int meters = registry.getMeters().size();
    assertThat(count("strowger.destination.delivered", "destination", "d9")).isEqualTo(2);
    assertThat(count("strowger.destination.delivered", "destination", "other")).isEqualTo(80);
    assertThat(gauge("strowger.destination.queue.calls", "type", "other")).isEqualTo(40);
    for (int i = 0; i < 1_000; i++) { // destinations are replaced
      destinations.set(20, destination("later" + i, 0, 1, 0));
      afterASecond(metrics);
    }
    assertThat(count("strowger.destination.delivered", "destination", "other")).isEqualTo(1_080);
    assertThat(gauge("strowger.destination.queue.calls", "type", "other")).isEqualTo(39);
    assertThat(registry.getMeters()).hasSize(meters);
  }

  @Test
  @DisplayName("add up two destinations with the same id, as in file and store")
  void sameId() {
    watching(10, List.of(destination("d", 1, 2, 0), destination("d", 1, 5, 0)));
    assertThat(count("strowger.destination.delivered", "destination", "d")).isEqualTo(7);
    assertThat(gauge("strowger.destination.queue.calls", "destination", "d")).isEqualTo(2);
  }

  @Test
  @DisplayName("count nothing twice when one of two destinations with the same id is removed")
  void sameIdRemoved() {
    var destinations =
        new ArrayList<>(List.of(destination("d", 0, 100, 4), destination("d", 0, 5, 1)));
    GatewayMetrics metrics = watching(10, destinations);
    destinations.removeFirst();
    afterASecond(metrics);
    assertThat(count("strowger.destination.delivered", "destination", "d")).isEqualTo(105);
    destinations.set(0, destination("d", 0, 8, 1));
    afterASecond(metrics);
    assertThat(count("strowger.destination.delivered", "destination", "d")).isEqualTo(108);
    assertThat(count("strowger.destination.dropped", "reason", "queue_full")).isEqualTo(5);
  }

  @Test
  @DisplayName("count no call twice when a reload changes the type of a destination")
  void changedType() {
    var destinations = new ArrayList<>(List.of(destination("d", 0, 100, 4)));
    GatewayMetrics metrics = watching(10, destinations);
    destinations.set(0, withType("otel-collector", destination("d", 0, 103, 5)));
    afterASecond(metrics);
    assertThat(count("strowger.destination.delivered", "type", "webhook")).isEqualTo(100);
    assertThat(count("strowger.destination.delivered", "type", "otel-collector")).isEqualTo(3);
    assertThat(
            count("strowger.destination.dropped", "type", "otel-collector", "reason", "queue_full"))
        .isEqualTo(1);
  }

  private static DestinationLoad withType(String type, DestinationLoad load) {
    return new DestinationLoad(
        load.id(),
        type,
        load.queued(),
        load.queuedBytes(),
        load.diskCalls(),
        load.diskBytes(),
        load.delivered(),
        load.droppedByReason(),
        load.failures(),
        load.failing());
  }

  @Test
  @DisplayName("read the gateway's load once a second, however many gauges are read")
  void fresh() {
    var readings = new AtomicInteger();
    new GatewayMetrics(registry)
        .watch(
            () ->
                new LoadSnapshot(
                    readings.incrementAndGet(),
                    0,
                    0,
                    Map.of(),
                    0,
                    Usd.ZERO,
                    Map.of(),
                    0,
                    List.of()));
    assertThat(registry.get("strowger.requests.in.flight").gauge().value()).isEqualTo(1);
    assertThat(registry.get("strowger.requests.in.flight").gauge().value()).isEqualTo(1);
    clock.add(Duration.ofSeconds(1));
    assertThat(registry.get("strowger.requests.in.flight").gauge().value()).isEqualTo(2);
  }

  @Test
  @DisplayName("count a destination's calls once, even if a slow reading overlaps a later one")
  void slowReading() throws InterruptedException {
    var readings = new AtomicInteger();
    var slowReading = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var metrics = new GatewayMetrics(registry);
    metrics.watch(
        () -> {
          int delivered = 10 * readings.incrementAndGet();
          if (delivered == 20) {
            slowReading.countDown();
            awaitLatch(end);
          }
          return new LoadSnapshot(
              0,
              0,
              0,
              Map.of(),
              0,
              Usd.ZERO,
              Map.of(),
              0,
              List.of(destination("d", 0, delivered, 0)));
        });
    clock.add(Duration.ofSeconds(1));
    Thread slow = Thread.ofPlatform().start(metrics::refresh);
    slowReading.await();
    afterASecond(metrics);
    end.countDown();
    slow.join();
    afterASecond(metrics);
    assertThat(count("strowger.destination.delivered", "destination", "d"))
        .isEqualTo(10 * readings.get());
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
