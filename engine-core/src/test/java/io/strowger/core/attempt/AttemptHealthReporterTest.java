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

@DisplayName("What health is told of an attempt")
class AttemptHealthReporterTest {
  private static final Event TEXT = new Event.TextDelta("12345678");
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Catalog catalog = catalog(endpoint("alpha", "acme/large", "1"));
  private final Health health = new Health(new Sleepless(ambient), HealthPolicy.STANDARD);
  private final CatalogHealth board = health.healthOf(catalog);
  private final Cancellation cancellation = new Cancellation();

  @AfterEach
  void close() {
    health.close();
    ambient.assertNoThreadsLeft();
  }

  private AttemptHealthReporter report() {
    var request = InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).build();
    return new AttemptHealthReporter(
        Objects.requireNonNull(board.begin(PlannedAttempt.of(catalog.endpoints().get(0)))),
        Objects.requireNonNull(
            new EndpointLimiter(() -> OverloadLimits.NONE, ambient).tryAcquire("alpha", null)),
        cancellation,
        new ToolCallJudge(request, new JacksonCodec()),
        ambient);
  }

  /** As published for a new board, which is done at once. */
  private EndpointStatistics told() {
    return health.healthOf(catalog).published().of(catalog.endpoints().get(0));
  }

  private void passes(AttemptHealthReporter reporter, Event... events) {
    for (Event event : events) {
      reporter.onEvent(event);
      ambient.advance(Duration.ofMillis(100));
    }
  }

  @Test
  @DisplayName("is when its first content came and how fast the rest did")
  void speeds() {
    AttemptHealthReporter reporter = report();
    passes(reporter, new Event.Started(null), TEXT, TEXT);
    reporter.onEvent(new Event.UsageReport(usage(5, 40), null));
    reporter.onEvent(END);
    EndpointStatistics told = told();
    assertThat(told.latencyMicros(Percentile.P50)).isBetween(95_000L, 105_000L);
    // 40 tokens in 200 ms
    assertThat(told.throughputMicroTokens(Percentile.P50)).isBetween(190_000_000L, 210_000_000L);
    assertThat(told.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isZero();
  }

  @Test
  @DisplayName("is estimated from its bytes when the upstream did not count")
  void estimated() {
    AttemptHealthReporter reporter = report();
    passes(reporter, TEXT, TEXT);
    reporter.onEvent(END);
    // 16 bytes are 4 tokens, in 200 ms
    assertThat(told().throughputMicroTokens(Percentile.P50)).isBetween(19_000_000L, 21_000_000L);
  }

  @Test
  @DisplayName("is no speed when it came whole: nobody saw when it began")
  void whole() {
    AttemptHealthReporter reporter = report();
    passes(reporter, new Event.Started(null), new Event.CompleteAnswer(answer("fine")));
    EndpointStatistics told = told();
    assertThat(told.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    assertThat(told.latencyMicros(Percentile.P50)).isEqualTo(-1);
    assertThat(told.throughputMicroTokens(Percentile.P50)).isEqualTo(-1);
  }

  @Test
  @DisplayName("is a failure when it breaks in the middle or ends in an error")
  void failures() {
    passes(report(), TEXT, Event.Failed.upstream(failure(FailureKind.PROTOCOL)));
    passes(report(), TEXT, new Event.Finished(StopReason.ERROR, "error", null));
    EndpointStatistics told = told();
    assertThat(told.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(2);
    assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(2);
  }

  @Test
  @DisplayName("is nothing when what stands around it failed, and not the upstream")
  void around() {
    passes(report(), TEXT, new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null));
    assertThat(told().requests(CountingPeriod.FIVE_MINUTES)).isZero();
  }

  @ParameterizedTest
  @EnumSource(Cancellation.Cause.class)
  @DisplayName("is nothing when the caller, the engine or the whole request's deadline ended it")
  void whoseFault(Cancellation.Cause cause) {
    boolean endpoints =
        cause == Cancellation.Cause.FIRST_CONTENT || cause == Cancellation.Cause.GAP;
    AttemptHealthReporter reporter = report();
    cancellation.cancel(cause);
    reporter.recordFailure(Failure.of(FailureKind.TIMEOUT, "cancelled"));
    EndpointStatistics told = told();
    assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(endpoints ? 1 : 0);
    assertThat(told.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(endpoints ? 1 : 0);
  }

  @Test
  @DisplayName("is the first end only")
  void once() {
    AttemptHealthReporter reporter = report();
    passes(reporter, TEXT, END);
    reporter.recordFailure(failure(FailureKind.UNAVAILABLE));
    reporter.recordAbandonment();
    EndpointStatistics told = told();
    assertThat(told.requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isZero();
  }

  @Proves("routing.exacto.EX-3")
  @Test
  @DisplayName("is whether its tool calls were any, when it ended with some (EX-3)")
  void toolCalls() {
    var nobodyKnows = new Event.ToolCallDelta(0, "id", "unknown", Json.of("{}"), null);
    passes(report(), nobodyKnows, new Event.Finished(StopReason.TOOL_CALLS, null, null));
    passes(report(), TEXT, new Event.Finished(StopReason.TOOL_CALLS, null, null));
    passes(report(), nobodyKnows, END);
    EndpointStatistics told = told();
    assertThat(told.toolRequests()).isEqualTo(2);
    assertThat(told.toolErrors()).isEqualTo(1);
  }
}
