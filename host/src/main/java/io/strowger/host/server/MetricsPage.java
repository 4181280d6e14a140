package io.strowger.host.server;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.strowger.core.Gateway;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.observe.TraceSink;
import io.strowger.telemetry.GatewayMetrics;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Serves the metrics of a gateway in the text format of Prometheus. It answers even while the
 * gateway waits for its store. Safe on any thread.
 */
public final class MetricsPage implements AutoCloseable {
  /**
   * The path of the page on the admin address. Clients find it at {@link AdminRoutes#METRICS} below
   * {@link HttpHost#ROOT}.
   */
  static final String PATH = "/metrics";

  private static final String METHODS = "GET, HEAD, OPTIONS";
  private static final Map<String, String> TEXT =
      Map.of(
          "Content-Type", "text/plain; version=0.0.4; charset=utf-8", "Cache-Control", "no-store");

  private final PrometheusMeterRegistry registry;
  private final GatewayMetrics metrics;

  /** Creates a page whose counters are all zero. */
  public MetricsPage(Ambient ambient) {
    registry =
        new PrometheusMeterRegistry(
            PrometheusConfig.DEFAULT, new PrometheusRegistry(), new AmbientClock(ambient));
    metrics = new GatewayMetrics(registry);
  }

  /** Provides the ambient time to the registry. */
  private record AmbientClock(Ambient ambient) implements Clock {
    @Override
    public long wallTime() {
      return ambient.now().toEpochMilli();
    }

    @Override
    public long monotonicTime() {
      return ambient.nanoTime();
    }
  }

  /** Returns the sink with which the gateway must be built so that its calls are counted. */
  public TraceSink sink() {
    return metrics;
  }

  /** Adds the load of a gateway to the page. Call it once, after the gateway is built. */
  public void watch(Gateway gateway) {
    metrics.watch(gateway::load);
  }

  /**
   * Answers a request for the page.
   *
   * @param method the method of the request; the caller passes GET for HEAD
   */
  WireResponse answer(String method) {
    return switch (method) {
      case "GET" -> {
        metrics.refresh();
        yield new WireResponse(
            200, TEXT, WireBody.of(registry.scrape().getBytes(StandardCharsets.UTF_8)));
      }
      case "OPTIONS" -> new WireResponse(200, Map.of("Allow", METHODS), WireBody.of(new byte[0]));
      default ->
          HttpError.response(
              GatewayError.of(ErrorCode.METHOD_NOT_ALLOWED).withHeader("Allow", METHODS));
    };
  }

  @Override
  public void close() {
    registry.close();
  }
}
