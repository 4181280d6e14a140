package io.strowger.host.server;

import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.strowger.core.dialect.ErrorBodies;
import io.strowger.core.dialect.ErrorEnvelope;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.HashMap;
import java.util.Map;

/**
 * Creates the error answers of the host itself, and refusals of requests that are not valid HTTP,
 * in the contract's envelope (contract, "Errors").
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

  /** Returns a refusal with 400, for input that is malformed or ambiguous. */
  static RequestException malformed(String reason) {
    return refusal(Status.BAD_REQUEST_400.code(), reason);
  }

  /**
   * Returns a refusal with a status, after which the connection is closed.
   *
   * @param reason what is wrong with the request, for its sender; without text of the request
   *     except the names of known fields
   */
  static RequestException refusal(int status, String reason) {
    return RequestException.builder()
        .type(DirectHandler.EventType.BAD_REQUEST)
        .status(Status.create(status))
        .setKeepAlive(false)
        .message(reason)
        .build();
  }

  /** Returns the answer to a refused request, in the contract's envelope. */
  static WireResponse answer(RequestException refused) {
    return new WireResponse(
        refused.status().code(),
        Map.of("Content-Type", "application/json"),
        WireBody.of(body(refused)));
  }

  private static byte[] body(RequestException refused) {
    int code = refused.status().code();
    if (code == ErrorCode.INTERNAL.status()) {
      return body(code, ErrorCode.INTERNAL.type(), ErrorCode.INTERNAL.message());
    }
    if (code == ErrorCode.PAYLOAD_TOO_LARGE.status()) {
      return body(code, ErrorCode.PAYLOAD_TOO_LARGE.type(), ErrorCode.PAYLOAD_TOO_LARGE.message());
    }
    return body(code, ErrorCode.INVALID_REQUEST.type(), message(refused));
  }

  /** Returns the message for the sender of a refused request: what is wrong with it. */
  static String message(RequestException refused) {
    return "Not a valid HTTP request: " + refused.getMessage();
  }
}
