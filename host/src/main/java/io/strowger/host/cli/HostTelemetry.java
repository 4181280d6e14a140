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
 * What a host shows and exports of its gateway.
 *
 * @param page of metrics; null: nobody could see one, so nothing is counted
 * @param isPublic whether management keys see the page where clients call
 * @param traces null: nothing is traced
 */
record HostTelemetry(@Nullable MetricsPage page, boolean isPublic, @Nullable TraceExport traces)
    implements AutoCloseable {
  static HostTelemetry of(GatewayConfig config, Ambient ambient) {
    TelemetrySettings asked = config.telemetry();
    boolean isVisible = config.server().admin() != null || asked.publicMetrics();
    TelemetrySettings.Traces traces = asked.traces();
    return new HostTelemetry(
        asked.metrics() && isVisible ? new MetricsPage(ambient) : null,
        asked.publicMetrics(),
        traces == null ? null : TraceExport.to(traces, ambient));
  }

  TraceSink[] sinks() {
    return page == null ? new TraceSink[0] : new TraceSink[] {page.sink()};
  }

  @Nullable CallTracer tracer() {
    return traces == null ? null : traces.tracer();
  }

  /** Returns the page that management keys see where clients call; null: there is none. */
  @Nullable MetricsPage publicPage() {
    return isPublic ? page : null;
  }

  /** Sends what waits to be sent; the gateway is closed by then. */
  @Override
  public void close() {
    try (traces) {
      if (page != null) {
        page.close();
      }
    }
  }
}
