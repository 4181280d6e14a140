package io.strowger.host.server;

import io.strowger.core.dialect.ErrorBodies;
import io.strowger.core.dialect.ErrorEnvelope;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.HashMap;
import java.util.Map;

/**
 * Creates the error answers of the host itself, in the contract's envelope (contract, "Errors").
 */
final class HttpError {
  static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

  private HttpError() {}

  static WireResponse response(GatewayError error) {
    byte[] body = ErrorBodies.of(ErrorEnvelope.GATEWAY, error, null, null).toBytes();
    return new WireResponse(error.code().status(), headers(error), WireBody.of(body));
  }

  private static Map<String, String> headers(GatewayError error) {
    var headers = new HashMap<>(JSON);
    headers.putAll(error.headers());
    error
        .retryAfterSeconds()
        .ifPresent(seconds -> headers.put("Retry-After", Long.toString(seconds)));
    return headers;
  }

  static byte[] body(int status, String type, String message) {
    return Json.object()
        .put(
            "error",
            Json.object()
                .put("code", status)
                .put("message", message)
                .put("metadata", Json.object().put("error_type", type).build())
                .build())
        .build()
        .toBytes();
  }
}
