package io.strowger.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallSpan;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.TraceContext;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the tracer alone; TelemetryTracesTest of conformance tests it with the engine. */
@DisplayName("The tracer")
class OpenTelemetryTracerTest {
  private static final Instant ARRIVED = Instant.parse("2026-11-21T12:00:00Z");
  private static final TraceContext CALLER =
      new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "vendor=1");
  private static final Endpoint ENDPOINT =
      Endpoint.builder("acme/m", new ProviderInfo("alpha", "Alpha", false, false, null, false))
          .build();

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder().setTracerProvider(provider).build();

  @AfterEach
  void stop() {
    provider.close();
  }

  private static CallTracer.Start start(@Nullable TraceContext parent) {
    return new CallTracer.Start("gen-1", ARRIVED, Endpoint.Kind.CHAT, "acme/m", parent, false);
  }

  private static CallRecord.Builder record(CallRecord.Outcome outcome) {
    return CallRecord.builder("gen-1", ARRIVED, outcome)
        .requestedModel("acme/m")
        .totalNanos(7_000_000);
  }

  private SpanData onlySpan() {
    assertThat(exporter.getFinishedSpanItems()).hasSize(1);
    return exporter.getFinishedSpanItems().getFirst();
  }

  @Test
  @DisplayName("takes the thread's current span as the parent, in preference to the caller's")
  void current() {
    Span outer = sdk.getTracer("test").spanBuilder("around").startSpan();
    CallSpan trace;
    try (Scope current = outer.makeCurrent()) {
      trace = new OpenTelemetryTracer(sdk).begin(start(CALLER));
    }
    trace.end(record(CallRecord.Outcome.COMPLETE).build());
    assertThat(onlySpan().getParentSpanId()).isEqualTo(outer.getSpanContext().getSpanId());
  }

  @Test
  @DisplayName(
      "begins and ends spans at the times of the record, not at the time of their creation")
  void times() {
    new OpenTelemetryTracer(sdk)
        .begin(start(null))
        .end(record(CallRecord.Outcome.COMPLETE).build());
    long arrived = ARRIVED.getEpochSecond() * 1_000_000_000L;
    assertThat(onlySpan().getStartEpochNanos()).isEqualTo(arrived);
    assertThat(onlySpan().getEndEpochNanos()).isEqualTo(arrived + 7_000_000);
  }

  @Test
  @DisplayName("does not mark a call as an error when its caller disconnects")
  void cancelled() {
    new OpenTelemetryTracer(sdk)
        .begin(start(CALLER))
        .end(record(CallRecord.Outcome.CANCELLED).build());
    assertThat(onlySpan().getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(onlySpan().getAttributes().get(SpanNames.ERROR_TYPE)).isEqualTo("cancelled");
  }

  private SpanData refused(ErrorCode error) {
    new OpenTelemetryTracer(sdk)
        .begin(start(null))
        .end(record(CallRecord.Outcome.ERROR).error(error).build());
    return onlySpan();
  }

  @Test
  @DisplayName("does not mark a mistake of the caller as an error, but names it")
  void callersMistake() {
    SpanData span = refused(ErrorCode.INVALID_REQUEST);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().get(SpanNames.ERROR_TYPE)).isEqualTo("invalid_request");
  }

  @ParameterizedTest
  @EnumSource(names = {"INTERNAL", "PROVIDER_ERROR", "TIMEOUT", "CAPACITY_EXHAUSTED"})
  @DisplayName("marks a failure of the gateway or its providers as an error")
  void ownError(ErrorCode error) {
    SpanData span = refused(error);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getAttributes().get(SpanNames.ERROR_TYPE))
        .isEqualTo(error.name().toLowerCase(Locale.ROOT));
  }

  private static CallRecord.Attempt attempt(CallRecord.Ending ending) {
    return new CallRecord.Attempt(
        0,
        null,
        ENDPOINT,
        new CallRecord.CallTimes(0, -1, 1),
        ending,
        new CallRecord.BillLine(ENDPOINT.id(), Usage.NONE, Usd.ZERO));
  }

  @Test
  @DisplayName("marks an attempt that a provider refused as an error, also if the caller caused it")
  void refusedAttempt() {
    CallSpan trace = new OpenTelemetryTracer(sdk).begin(start(null));
    trace.beginAttempt(0, ENDPOINT, 0);
    trace.end(
        record(CallRecord.Outcome.ERROR)
            .error(ErrorCode.INVALID_REQUEST)
            .attempts(
                List.of(
                    attempt(
                        new CallRecord.Ending(
                            CallRecord.Outcome.ERROR,
                            400,
                            FailureKind.INVALID_REQUEST,
                            null,
                            null))))
            .build());
    assertThat(exporter.getFinishedSpanItems())
        .extracting(SpanData::getKind, span -> span.getStatus().getStatusCode())
        .containsExactly(
            tuple(SpanKind.CLIENT, StatusCode.ERROR), tuple(SpanKind.SERVER, StatusCode.UNSET));
  }

  @Test
  @DisplayName("names the gateway's error when an attempt failed within the gateway")
  void ownFailure() {
    CallSpan trace = new OpenTelemetryTracer(sdk).begin(start(null));
    trace.beginAttempt(0, ENDPOINT, 0);
    var ending = new CallRecord.Ending(CallRecord.Outcome.ERROR, 0, null, ErrorCode.INTERNAL, null);
    trace.end(record(CallRecord.Outcome.ERROR).attempts(List.of(attempt(ending))).build());
    assertThat(exporter.getFinishedSpanItems().getFirst().getAttributes().get(SpanNames.ERROR_TYPE))
        .isEqualTo("internal");
  }

  private SpanData spanOf(CallTracer tracer, CallTracer.Start start) {
    Objects.requireNonNull(tracer.begin(start)).end(record(CallRecord.Outcome.COMPLETE).build());
    return onlySpan();
  }

  @Test
  @DisplayName("makes the span internal if the host's server already has a span for the request")
  void internal() {
    Span outer = sdk.getTracer("test").spanBuilder("around").startSpan();
    try (Scope current = outer.makeCurrent()) {
      assertThat(spanOf(new OpenTelemetryTracer(sdk), start(CALLER)).getKind())
          .isEqualTo(SpanKind.INTERNAL);
    }
  }

  @Test
  @DisplayName("makes a server span for a remote caller")
  void server() {
    assertThat(spanOf(new OpenTelemetryTracer(sdk), start(CALLER)).getKind())
        .isEqualTo(SpanKind.SERVER);
  }

  @Test
  @DisplayName("makes the span of a batch request internal")
  void batch() {
    var start = new CallTracer.Start("gen-1", ARRIVED, Endpoint.Kind.CHAT, "acme/m", null, true);
    assertThat(spanOf(new OpenTelemetryTracer(sdk), start).getKind()).isEqualTo(SpanKind.INTERNAL);
  }

  @Test
  @DisplayName("keeps the current span for a call that another thread begins")
  void otherThread() throws InterruptedException {
    Span outer = sdk.getTracer("test").spanBuilder("around").startSpan();
    CallTracer tracer;
    try (Scope current = outer.makeCurrent()) {
      tracer = new OpenTelemetryTracer(sdk).forCallingThread();
    }
    var thread = new Thread(() -> spanOf(tracer, start(CALLER)));
    thread.start();
    thread.join();
    assertThat(onlySpan().getParentSpanId()).isEqualTo(outer.getSpanContext().getSpanId());
  }

  @Test
  @DisplayName("ignores the trace context of callers if it is configured so")
  void ignoredContext() {
    SpanData span = spanOf(new OpenTelemetryTracer(sdk, false), start(CALLER));
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(span.getTraceId()).isNotEqualTo(CALLER.traceparent().substring(3, 35));
  }

  @Test
  @DisplayName("names no model if the request named none")
  void noModel() {
    var start = new CallTracer.Start("gen-1", ARRIVED, Endpoint.Kind.CHAT, "", null, false);
    SpanData span = spanOf(new OpenTelemetryTracer(sdk), start);
    assertThat(span.getName()).isEqualTo("chat");
    assertThat(span.getAttributes().get(SpanNames.REQUEST_MODEL)).isNull();
  }

  @Test
  @DisplayName("without an SDK passes on the caller's trace context, or none")
  void withoutSdk() {
    var tracer = new OpenTelemetryTracer(OpenTelemetry.noop());
    assertThat(tracer.begin(start(null)).beginAttempt(0, ENDPOINT, 0)).isNull();
    CallSpan trace = tracer.begin(start(CALLER));
    assertThat(trace.beginAttempt(0, ENDPOINT, 0)).isEqualTo(CALLER.traceparent());
    trace.end(record(CallRecord.Outcome.COMPLETE).build());
  }
}
