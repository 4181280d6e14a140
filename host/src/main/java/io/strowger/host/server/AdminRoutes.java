package io.strowger.host.server;

import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Reading;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the host itself offers beside the engine's paths: {@code POST /admin/reload}, for management
 * keys.
 */
public final class AdminRoutes implements Function<WireRequest, WireResponse> {
  /** Reads the configuration again and puts it in force. */
  public static final String RELOAD = "/admin/reload";

  private final Function<WireRequest, WireResponse> api;
  private final Function<WireRequest, @Nullable GatewayError> admit;
  private final Reload reload;

  /** Reads the configuration again and puts it in force when it is good. */
  @FunctionalInterface
  public interface Reload {
    /**
     * @return null when it cannot even be read
     */
    @Nullable Reading now();
  }

  /**
   * @param api everything else
   * @param admit whether a request may do this; null when it may
   */
  public AdminRoutes(
      Function<WireRequest, WireResponse> api,
      Function<WireRequest, @Nullable GatewayError> admit,
      Reload reload) {
    this.api = api;
    this.admit = admit;
    this.reload = reload;
  }

  @Override
  public WireResponse apply(WireRequest request) {
    if (!request.path().equals(RELOAD)) {
      return api.apply(request);
    }
    GatewayError refused = admit.apply(request);
    if (refused != null) {
      return HttpError.response(refused);
    }
    if (!request.method().equals("POST")) {
      return HttpError.response(GatewayError.of(ErrorCode.METHOD_NOT_ALLOWED));
    }
    return switch (reload.now()) {
      case null ->
          HttpError.response(
              GatewayError.of(ErrorCode.CONFLICT, "The configuration file cannot be read"));
      case Reading.Refused(var problems) ->
          HttpError.response(GatewayError.of(ErrorCode.INVALID_REQUEST, problems));
      case Reading.Accepted(var config) -> inForce(config);
    };
  }

  private static WireResponse inForce(GatewayConfig config) {
    Json.Obj data =
        Json.object()
            .put("catalog_version", config.catalog().version())
            .put(
                "without_effect",
                Json.array(config.withoutEffect().stream().map(Json::of).toList()))
            .build();
    return new WireResponse(
        200, HttpError.JSON, WireBody.of(Json.object().put("data", data).build().toBytes()));
  }
}
