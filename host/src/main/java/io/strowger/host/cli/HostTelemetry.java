package io.strowger.host.cli;

import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.TelemetrySettings;
import io.strowger.host.server.MetricsPage;
import io.strowger.host.server.TraceExport;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.TraceSink;
import org.jspecify.annotations.Nullable;

/**
 * The metrics page and the trace export of a served gateway.
 *
 * @param page the metrics page; null when no listener shows one, and then nothing is counted
 * @param isOnClientListener whether the listener for clients shows the page to management keys
 * @param traces the export of traces; null when calls are not traced
 */
record HostTelemetry(
    @Nullable MetricsPage page, boolean isOnClientListener, @Nullable TraceExport traces)
    implements AutoCloseable {
  static HostTelemetry of(GatewayConfig config, Ambient ambient) {
    TelemetrySettings settings = config.telemetry();
    boolean isVisible = config.server().admin() != null || settings.publicMetricsEnabled();
    TelemetrySettings.Traces traces = settings.traces();
    MetricsPage page = settings.metricsEnabled() && isVisible ? new MetricsPage(ambient) : null;
    try {
      return new HostTelemetry(
          page,
          settings.publicMetricsEnabled(),
          traces == null ? null : TraceExport.to(traces, ambient));
    } catch (RuntimeException | Error e) {
      if (page != null) {
        page.close();
      }
      throw e;
    }
  }

  TraceSink[] sinks() {
    return page == null ? new TraceSink[0] : new TraceSink[] {page.sink()};
  }

  @Nullable CallTracer tracer() {
    return traces == null ? null : traces.tracer();
  }

  /**
   * Returns the page that the listener for clients shows to management keys; null when it shows
   * none.
   */
  @Nullable MetricsPage clientListenerPage() {
    return isOnClientListener ? page : null;
  }

  /** Sends the traces that are still queued, and closes. Called after the gateway was closed. */
  @Override
  public void close() {
    try (traces) {
      if (page != null) {
        page.close();
      }
    }
  }
}
