package io.strowger.host.server;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.strowger.spi.observe.CallTracer;
import io.strowger.telemetry.OpenTelemetryTracer;
import java.util.concurrent.TimeUnit;

/**
 * Sends the spans of calls to a collector over OTLP, in batches and on a thread of the
 * OpenTelemetry SDK. A collector that cannot be reached costs spans and nothing else: at most 2,048
 * wait, and what comes beyond that is dropped.
 */
public final class TraceExport implements AutoCloseable {
  private static final String PATH = "/v1/traces";
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
  private static final long PATIENCE_SECONDS = 5;

  private final SdkTracerProvider provider;
  private final CallTracer tracer;

  private TraceExport(SdkTracerProvider provider) {
    this.provider = provider;
    this.tracer =
        new OpenTelemetryTracer(OpenTelemetrySdk.builder().setTracerProvider(provider).build());
  }

  /**
   * Begins to send. Nothing is looked up or connected before the first span.
   *
   * @param otlp an http or https address; {@value #PATH} is added unless it ends so
   */
  public static TraceExport to(String otlp) {
    String base = otlp.endsWith("/") ? otlp.substring(0, otlp.length() - 1) : otlp;
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(base.endsWith(PATH) ? base : base + PATH)
            .build();
    return new TraceExport(
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().toBuilder().put(SERVICE, "strowger").build())
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build());
  }

  /** Returns what the gateway is built with. */
  public CallTracer tracer() {
    return tracer;
  }

  /** Sends what waits, for at most five seconds. Call it after the gateway was closed. */
  @Override
  public void close() {
    provider.shutdown().join(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
