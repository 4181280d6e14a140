package io.strowger.host.server;

import io.strowger.core.Readiness;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers the probes of an orchestrator or a load balancer: {@value #LIVE} reports that the process
 * works, {@value #READY} whether it should be sent requests. Both need no key and are served at the
 * root and below {@link HttpHost#ROOT}. Safe on any thread; never blocks.
 */
final class Probes {
  static final String LIVE = "/livez";
  static final String READY = "/readyz";

  private static final String METHODS = "GET, HEAD, OPTIONS";
  private static final Map<String, String> HEADERS =
      Map.of("Content-Type", "application/json", "Cache-Control", "no-store");

  private final Supplier<Readiness> gatewayReadiness;
  private volatile boolean isDraining;

  /**
   * @param gatewayReadiness returns whether the gateway can serve requests; must not block
   */
  Probes(Supplier<Readiness> gatewayReadiness) {
    this.gatewayReadiness = Objects.requireNonNull(gatewayReadiness, "gatewayReadiness");
  }

  /**
   * From now on reports that the host is not ready, whatever the gateway reports. Call this before
   * the listener closes, so that a load balancer stops sending requests while they are still
   * served. Calling this again has no effect.
   */
  void drain() {
    isDraining = true;
  }

  /** Returns whether the host should be sent requests. */
  Readiness readiness() {
    return isDraining ? Readiness.DRAINING : gatewayReadiness.get();
  }

  /**
   * Answers a probe.
   *
   * @param method the method of the request; the caller passes GET for HEAD
   * @param path the path from the root of the server
   * @return null when the path is not that of a probe
   */
  @Nullable WireResponse answer(String method, String path) {
    if (!path.endsWith("z") && !path.endsWith("z/")) {
      return null;
    }
    String subpath = path.startsWith(HttpHost.ROOT) ? path.substring(HttpHost.ROOT.length()) : path;
    String probe = subpath.endsWith("/") ? subpath.substring(0, subpath.length() - 1) : subpath;
    if (!probe.equals(LIVE) && !probe.equals(READY)) {
      return null;
    }
    return switch (method) {
      case "GET" -> probe.equals(LIVE) ? live() : ready(readiness());
      case "OPTIONS" -> new WireResponse(200, Map.of("Allow", METHODS), WireBody.of(new byte[0]));
      default ->
          HttpError.response(
              GatewayError.of(ErrorCode.METHOD_NOT_ALLOWED).withHeader("Allow", METHODS));
    };
  }

  private static WireResponse live() {
    return response(200, Json.object().put("status", "ok").build());
  }

  private static WireResponse ready(Readiness readiness) {
    return readiness == Readiness.READY
        ? response(200, Json.object().put("status", readiness.reason()).build())
        : response(
            ErrorCode.UNAVAILABLE.status(),
            Json.object()
                .put("status", "not ready")
                .put("reason", readiness.reason())
                .put("message", readiness.message())
                .build());
  }

  private static WireResponse response(int status, Json.Obj body) {
    return new WireResponse(status, HEADERS, WireBody.of(body.toBytes()));
  }
}
