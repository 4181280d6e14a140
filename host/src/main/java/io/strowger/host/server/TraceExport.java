package io.strowger.host.server;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.strowger.core.config.TelemetrySettings;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallTracer;
import io.strowger.telemetry.OpenTelemetryTracer;
import java.net.URI;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Sends the spans of calls to a collector over OTLP, in batches and on a thread of the
 * OpenTelemetry SDK. While a collector cannot be reached, at most 2,048 spans wait and further ones
 * are dropped; calls are not affected.
 */
public final class TraceExport implements AutoCloseable {
  private static final String PATH = "/v1/traces";
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
  private static final AttributeKey<String> INSTANCE =
      AttributeKey.stringKey("service.instance.id");
  private static final long SHUTDOWN_TIMEOUT_SECONDS = 5;

  private final SdkTracerProvider provider;
  private final CallTracer tracer;

  private TraceExport(SdkTracerProvider provider, boolean followsCallers) {
    this.provider = provider;
    this.tracer =
        new OpenTelemetryTracer(
            OpenTelemetrySdk.builder().setTracerProvider(provider).build(), followsCallers);
  }

  /**
   * Starts an export. No name is resolved and no connection opened before the first span.
   *
   * @param settings the collector's http or https URL, its headers and the sample ratio. {@value
   *     #PATH} is added to the URL's path unless the path ends with it
   * @param ambient the source of a random id for this process
   */
  public static TraceExport to(TelemetrySettings.Traces settings, Ambient ambient) {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(endpoint(settings.otlp()));
    settings.headers().forEach(exporter::addHeader);
    return new TraceExport(
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault().toBuilder()
                    .put(SERVICE, "strowger")
                    .put(INSTANCE, instance(ambient))
                    .build())
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.sampleRatio())))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter.build()).build())
            .build(),
        settings.followsCallers());
  }

  private static String endpoint(String otlp) {
    URI uri = URI.create(otlp);
    String path = uri.getRawPath();
    String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    String query = uri.getRawQuery();
    return uri.getScheme()
        + "://"
        + uri.getRawAuthority()
        + (base.endsWith(PATH) ? base : base + PATH)
        + (query == null ? "" : "?" + query);
  }

  /** Returns a random UUID, version 4. */
  private static String instance(Ambient ambient) {
    long high = ambient.seed() & ~0xF000L | 0x4000L;
    long low = ambient.seed() >>> 2 | 1L << 63;
    return new UUID(high, low).toString();
  }

  /** Returns the tracer with which the gateway must be built. */
  public CallTracer tracer() {
    return tracer;
  }

  /** Sends the remaining spans, for at most five seconds. Call it after closing the gateway. */
  @Override
  public void close() {
    provider.shutdown().join(SHUTDOWN_TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}
