package io.strowger.host.server;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The paths that the host adds to those of the engine, for management keys: {@code POST
 * /admin/reload}, and {@code GET /admin/metrics} where the configuration enables it.
 */
public final class AdminRoutes implements Function<WireRequest, WireResponse> {
  /** The path that reads the configuration again and applies it. */
  public static final String RELOAD = "/admin/reload";

  /** The path that shows metrics. */
  static final String METRICS = "/admin" + MetricsPage.PATH;

  private static final Map<String, String> ALLOWED = Map.of("Allow", "OPTIONS, POST");

  private final Function<WireRequest, WireResponse> api;
  private final Function<WireRequest, AuditActor> admit;
  private final Reload reload;
  private final @Nullable MetricsPage metrics;

  /** Reads the configuration again and applies it when it is valid. */
  @FunctionalInterface
  public interface Reload {
    /**
     * Reloads the configuration and returns the result.
     *
     * @param actor who requested the reload, for the audit log
     */
    ReloadResult run(AuditActor actor);
  }

  /**
   * @param api answers all other requests
   * @param admit returns who sent the request, or throws a {@link GatewayException} if the sender
   *     may not use these paths
   * @param metrics served to management keys; null if metrics are not served here
   */
  public AdminRoutes(
      Function<WireRequest, WireResponse> api,
      Function<WireRequest, AuditActor> admit,
      Reload reload,
      @Nullable MetricsPage metrics) {
    this.api = api;
    this.admit = admit;
    this.reload = reload;
    this.metrics = metrics;
  }

  @Override
  public WireResponse apply(WireRequest request) {
    boolean isReload = request.normalizedPath().equals(RELOAD);
    MetricsPage page = request.normalizedPath().equals(METRICS) ? metrics : null;
    if (!isReload && page == null) {
      return api.apply(request);
    }
    try {
      AuditActor actor = admit.apply(request);
      return page == null ? reload(actor, request) : page.answer(request.method());
    } catch (GatewayException refused) {
      return HttpError.response(refused.error());
    }
  }

  private WireResponse reload(AuditActor actor, WireRequest request) {
    switch (request.method()) {
      case "POST" -> {
        // reloaded below
      }
      case "OPTIONS" -> {
        return new WireResponse(200, ALLOWED, WireBody.of(new byte[0]));
      }
      default -> {
        var error = HttpError.response(GatewayError.of(ErrorCode.METHOD_NOT_ALLOWED));
        var headers = new HashMap<>(error.headers());
        headers.putAll(ALLOWED);
        return new WireResponse(error.status(), headers, error.body());
      }
    }
    return switch (reload.run(actor)) {
      case ReloadResult.Unreadable unreadable ->
          HttpError.response(
              GatewayError.of(ErrorCode.CONFLICT, "The configuration file cannot be read"));
      case ReloadResult.StoreUnavailable storeUnavailable ->
          HttpError.response(
              GatewayError.of(
                  ErrorCode.UNAVAILABLE,
                  "Not reloaded: the store cannot be reached, so the change cannot be recorded"));
      case ReloadResult.Refused(var problems) ->
          HttpError.response(GatewayError.of(ErrorCode.INVALID_REQUEST, problems));
      case ReloadResult.Applied(var config, var withoutEffect) -> applied(config, withoutEffect);
    };
  }

  private static WireResponse applied(GatewayConfig config, List<String> withoutEffect) {
    Json.Obj data =
        Json.object()
            .put("catalog_version", config.catalog().version())
            .put("without_effect", Json.array(withoutEffect.stream().map(Json::of).toList()))
            .build();
    return new WireResponse(
        200, HttpError.JSON, WireBody.of(Json.object().put("data", data).build().toBytes()));
  }
}
