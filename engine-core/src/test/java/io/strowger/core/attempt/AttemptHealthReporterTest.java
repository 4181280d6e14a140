package io.strowger.core.attempt;

import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.CatalogHealth;
import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.Health;
import io.strowger.core.health.HealthPolicy;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.overload.OverloadLimits;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The health report of an attempt")
class AttemptHealthReporterTest {
  private static final Event TEXT = new Event.TextDelta("12345678");
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Catalog catalog = catalog(endpoint("alpha", "acme/large", "1"));
  private final Health health = new Health(new EndlessSleepAmbient(ambient), HealthPolicy.STANDARD);
  private final CatalogHealth catalogHealth = health.healthOf(catalog);
  private final Cancellation cancellation = new Cancellation();

  @AfterEach
  void close() {
    health.close();
    ambient.assertNoThreadsLeft();
  }

  private AttemptHealthReporter newReporter() {
    var request = InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).build();
    return new AttemptHealthReporter(
        Objects.requireNonNull(catalogHealth.begin(PlannedAttempt.of(catalog.endpoints().get(0)))),
        Objects.requireNonNull(
            new EndpointLimiter(() -> OverloadLimits.NONE, ambient).tryAcquire("alpha", null)),
        cancellation,
        new ToolCallJudge(request, new JacksonCodec()),
        ambient);
  }

  /** Returns the statistics as published for a new catalog, which happens at once. */
  private EndpointStatistics published() {
    return health.healthOf(catalog).published().of(catalog.endpoints().get(0));
  }

  private void pass(AttemptHealthReporter reporter, Event... events) {
    for (Event event : events) {
      reporter.onEvent(event);
      ambient.advance(Duration.ofMillis(100));
    }
  }

  @Test
  @DisplayName("has the time to its first content and the speed of the rest")
  void speeds() {
    AttemptHealthReporter reporter = newReporter();
    pass(reporter, new Event.Started(null), TEXT, TEXT);
    reporter.onEvent(new Event.UsageReport(usage(5, 40), null));
    reporter.onEvent(END);
    EndpointStatistics statistics = published();
    assertThat(statistics.latencyMicros(Percentile.P50)).isBetween(95_000L, 105_000L);
    // 40 tokens in 200 ms
    assertThat(statistics.throughputMicroTokens(Percentile.P50))
        .isBetween(190_000_000L, 210_000_000L);
    assertThat(statistics.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isZero();
  }

  @Test
  @DisplayName("has a speed estimated from bytes if the upstream reports no usage")
  void estimated() {
    AttemptHealthReporter reporter = newReporter();
    pass(reporter, TEXT, TEXT);
    reporter.onEvent(END);
    // 16 bytes are 4 tokens, in 200 ms
    assertThat(published().throughputMicroTokens(Percentile.P50))
        .isBetween(19_000_000L, 21_000_000L);
  }

  @Test
  @DisplayName("has no times of an answer without streaming, since its start is unknown")
  void whole() {
    AttemptHealthReporter reporter = newReporter();
    pass(reporter, new Event.Started(null), new Event.CompleteAnswer(answer("fine")));
    EndpointStatistics statistics = published();
    assertThat(statistics.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    assertThat(statistics.latencyMicros(Percentile.P50)).isEqualTo(-1);
    assertThat(statistics.throughputMicroTokens(Percentile.P50)).isEqualTo(-1);
  }

  @Test
  @DisplayName("is a failure if the answer breaks off or ends in an error")
  void failures() {
    pass(newReporter(), TEXT, Event.Failed.upstream(failure(FailureKind.PROTOCOL)));
    pass(newReporter(), TEXT, new Event.Finished(StopReason.ERROR, "error", null));
    EndpointStatistics statistics = published();
    assertThat(statistics.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(2);
    assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(2);
  }

  @Test
  @DisplayName("is empty if the gateway failed, not the upstream")
  void gatewayFailed() {
    pass(newReporter(), TEXT, new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null));
    assertThat(published().requests(CountingPeriod.FIVE_MINUTES)).isZero();
  }

  @ParameterizedTest
  @EnumSource(Cancellation.Cause.class)
  @DisplayName("is a failure if the endpoint timed out, and empty after any other cancellation")
  void whoseFault(Cancellation.Cause cause) {
    boolean endpointsFault =
        cause == Cancellation.Cause.FIRST_CONTENT || cause == Cancellation.Cause.GAP;
    AttemptHealthReporter reporter = newReporter();
    cancellation.cancel(cause);
    reporter.recordFailure(Failure.of(FailureKind.TIMEOUT, "cancelled"));
    EndpointStatistics statistics = published();
    assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(endpointsFault ? 1 : 0);
    assertThat(statistics.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(endpointsFault ? 1 : 0);
  }

  @Test
  @DisplayName("has only the first end")
  void once() {
    AttemptHealthReporter reporter = newReporter();
    pass(reporter, TEXT, END);
    reporter.recordFailure(failure(FailureKind.UNAVAILABLE));
    reporter.recordAbandonment();
    EndpointStatistics statistics = published();
    assertThat(statistics.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isZero();
  }

  @Proves("routing.exacto.EX-3")
  @Test
  @DisplayName("counts answers that end with tool calls, and those with a wrong call (EX-3)")
  void toolCalls() {
    var undeclared = new Event.ToolCallDelta(0, "id", "unknown", Json.of("{}"), null);
    pass(newReporter(), undeclared, new Event.Finished(StopReason.TOOL_CALLS, null, null));
    pass(newReporter(), TEXT, new Event.Finished(StopReason.TOOL_CALLS, null, null));
    pass(newReporter(), undeclared, END);
    EndpointStatistics statistics = published();
    assertThat(statistics.toolRequests()).isEqualTo(2);
    assertThat(statistics.toolErrors()).isEqualTo(1);
  }
}
