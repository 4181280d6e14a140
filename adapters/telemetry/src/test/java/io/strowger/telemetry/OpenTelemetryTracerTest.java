package io.strowger.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallSpan;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.TraceContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
    return new CallTracer.Start("gen-1", CAME, Endpoint.Kind.CHAT, "acme/m", parent);
  }

  private static CallRecord.Builder record(CallRecord.Outcome outcome) {
    return CallRecord.builder("gen-1", CAME, outcome).requested("acme/m").totalNanos(7_000_000);
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
    trace.ended(record(CallRecord.Outcome.COMPLETE).build());
    assertThat(only().getParentSpanId()).isEqualTo(around.getSpanContext().getSpanId());
  }

  @Test
  @DisplayName(
      "begins and ends spans when the record says, whatever the time is when they are made")
  void times() {
    new OpenTelemetryTracer(sdk)
        .begin(start(null))
        .ended(record(CallRecord.Outcome.COMPLETE).build());
    long came = CAME.getEpochSecond() * 1_000_000_000L;
    assertThat(only().getStartEpochNanos()).isEqualTo(came);
    assertThat(only().getEndEpochNanos()).isEqualTo(came + 7_000_000);
  }

  @Test
  @DisplayName("does not call it an error when the caller goes away")
  void cancelled() {
    new OpenTelemetryTracer(sdk)
        .begin(start(CALLER))
        .ended(record(CallRecord.Outcome.CANCELLED).build());
    assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(only().getAttributes().get(SpanNames.ERROR_TYPE)).isEqualTo("cancelled");
  }

  @Test
  @DisplayName("sends nothing without a trace, and passes the caller's on, where no SDK records")
  void withoutSdk() {
    var tracer = new OpenTelemetryTracer(OpenTelemetry.noop());
    assertThat(tracer.begin(start(null)).attempt(0, ENDPOINT, 0)).isNull();
    CallSpan trace = tracer.begin(start(CALLER));
    assertThat(trace.attempt(0, ENDPOINT, 0)).isEqualTo(CALLER.traceparent());
    trace.ended(record(CallRecord.Outcome.COMPLETE).build());
  }
}
