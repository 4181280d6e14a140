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

/** What the engine makes of whole calls is in TelemetryTracesTest of conformance. */
@DisplayName("The tracer")
class OpenTelemetryTracerTest {
  private static final Instant CAME = Instant.parse("2026-11-21T12:00:00Z");
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
    return new CallTracer.Start("gen-1", CAME, Endpoint.Kind.CHAT, "acme/m", parent, false);
  }

  private static CallRecord.Builder record(CallRecord.Outcome outcome) {
    return CallRecord.builder("gen-1", CAME, outcome)
        .requestedModel("acme/m")
        .totalNanos(7_000_000);
  }

  private SpanData only() {
    assertThat(exporter.getFinishedSpanItems()).hasSize(1);
    return exporter.getFinishedSpanItems().getFirst();
  }

  @Test
  @DisplayName("takes the current span of the thread for the parent, before what the caller says")
  void current() {
    Span around = sdk.getTracer("test").spanBuilder("around").startSpan();
    CallSpan trace;
    try (Scope current = around.makeCurrent()) {
      trace = new OpenTelemetryTracer(sdk).begin(start(CALLER));
    }
    trace.end(record(CallRecord.Outcome.COMPLETE).build());
    assertThat(only().getParentSpanId()).isEqualTo(around.getSpanContext().getSpanId());
  }

  @Test
  @DisplayName(
      "begins and ends spans when the record says, whatever the time is when they are made")
  void times() {
    new OpenTelemetryTracer(sdk)
        .begin(start(null))
        .end(record(CallRecord.Outcome.COMPLETE).build());
    long came = CAME.getEpochSecond() * 1_000_000_000L;
    assertThat(only().getStartEpochNanos()).isEqualTo(came);
    assertThat(only().getEndEpochNanos()).isEqualTo(came + 7_000_000);
  }

  @Test
  @DisplayName("does not call it an error when the caller goes away")
  void cancelled() {
    new OpenTelemetryTracer(sdk)
        .begin(start(CALLER))
        .end(record(CallRecord.Outcome.CANCELLED).build());
    assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(only().getAttributes().get(SpanNames.ERROR_TYPE)).isEqualTo("cancelled");
  }

  private SpanData refused(ErrorCode error) {
    new OpenTelemetryTracer(sdk)
        .begin(start(null))
        .end(record(CallRecord.Outcome.ERROR).error(error).build());
    return only();
  }

  @Test
  @DisplayName("does not call a mistake of the caller an error of the gateway, but names it")
  void callersMistake() {
    SpanData span = refused(ErrorCode.INVALID_REQUEST);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().get(SpanNames.ERROR_TYPE)).isEqualTo("invalid_request");
  }

  @ParameterizedTest
  @EnumSource(names = {"INTERNAL", "PROVIDER_ERROR", "TIMEOUT", "CAPACITY_EXHAUSTED"})
  @DisplayName("calls what the gateway and its providers fail at an error")
  void ownError(ErrorCode error) {
    SpanData span = refused(error);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getAttributes().get(SpanNames.ERROR_TYPE))
        .isEqualTo(error.name().toLowerCase(Locale.ROOT));
  }

  private static CallRecord.Attempt attempt(CallRecord.Ending how) {
    return new CallRecord.Attempt(
        0,
        null,
        ENDPOINT,
        new CallRecord.CallTimes(0, -1, 1),
        how,
        new CallRecord.BillLine(ENDPOINT.id(), Usage.NONE, Usd.ZERO));
  }

  @Test
  @DisplayName("calls what a provider refuses an error of the attempt, whoever is to blame")
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
  @DisplayName("names the gateway's own error where it failed itself in an attempt")
  void ownFailure() {
    CallSpan trace = new OpenTelemetryTracer(sdk).begin(start(null));
    trace.beginAttempt(0, ENDPOINT, 0);
    var how = new CallRecord.Ending(CallRecord.Outcome.ERROR, 0, null, ErrorCode.INTERNAL, null);
    trace.end(record(CallRecord.Outcome.ERROR).attempts(List.of(attempt(how))).build());
    assertThat(exporter.getFinishedSpanItems().getFirst().getAttributes().get(SpanNames.ERROR_TYPE))
        .isEqualTo("internal");
  }

  private SpanData begun(CallTracer tracer, CallTracer.Start start) {
    Objects.requireNonNull(tracer.begin(start)).end(record(CallRecord.Outcome.COMPLETE).build());
    return only();
  }

  @Test
  @DisplayName("makes a span within a request of one's own server an internal one")
  void inside() {
    Span around = sdk.getTracer("test").spanBuilder("around").startSpan();
    try (Scope current = around.makeCurrent()) {
      assertThat(begun(new OpenTelemetryTracer(sdk), start(CALLER)).getKind())
          .isEqualTo(SpanKind.INTERNAL);
    }
  }

  @Test
  @DisplayName("makes a span for a caller elsewhere that of a server")
  void server() {
    assertThat(begun(new OpenTelemetryTracer(sdk), start(CALLER)).getKind())
        .isEqualTo(SpanKind.SERVER);
  }

  @Test
  @DisplayName("makes the span of a request of a batch an internal one")
  void batch() {
    var start = new CallTracer.Start("gen-1", CAME, Endpoint.Kind.CHAT, "acme/m", null, true);
    assertThat(begun(new OpenTelemetryTracer(sdk), start).getKind()).isEqualTo(SpanKind.INTERNAL);
  }

  @Test
  @DisplayName("remembers the current span for a call that another thread begins")
  void otherThread() throws InterruptedException {
    Span around = sdk.getTracer("test").spanBuilder("around").startSpan();
    CallTracer here;
    try (Scope current = around.makeCurrent()) {
      here = new OpenTelemetryTracer(sdk).forCallingThread();
    }
    var thread = new Thread(() -> begun(here, start(CALLER)));
    thread.start();
    thread.join();
    assertThat(only().getParentSpanId()).isEqualTo(around.getSpanContext().getSpanId());
  }

  @Test
  @DisplayName("ignores what callers say where they are not to be followed")
  void strangers() {
    SpanData span = begun(new OpenTelemetryTracer(sdk, false), start(CALLER));
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(span.getTraceId()).isNotEqualTo(CALLER.traceparent().substring(3, 35));
  }

  @Test
  @DisplayName("says nothing of a model where none was named")
  void noModel() {
    var start = new CallTracer.Start("gen-1", CAME, Endpoint.Kind.CHAT, "", null, false);
    SpanData span = begun(new OpenTelemetryTracer(sdk), start);
    assertThat(span.getName()).isEqualTo("chat");
    assertThat(span.getAttributes().get(SpanNames.REQUEST_MODEL)).isNull();
  }

  @Test
  @DisplayName("sends nothing without a trace, and passes the caller's on, where no SDK records")
  void withoutSdk() {
    var tracer = new OpenTelemetryTracer(OpenTelemetry.noop());
    assertThat(tracer.begin(start(null)).beginAttempt(0, ENDPOINT, 0)).isNull();
    CallSpan trace = tracer.begin(start(CALLER));
    assertThat(trace.beginAttempt(0, ENDPOINT, 0)).isEqualTo(CALLER.traceparent());
    trace.end(record(CallRecord.Outcome.COMPLETE).build());
  }
}
