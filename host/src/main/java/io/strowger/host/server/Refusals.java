package io.strowger.host.server;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import io.strowger.spi.error.ErrorCode;

/**
 * What the web server refuses by itself, because it is not proper HTTP, is told in the contract's
 * envelope.
 */
final class Refusals {
  private Refusals() {}

  /** Returns the refusal, with 400, of what could be understood in two ways or in none. */
  static RequestException malformed(String why) {
    return refused(Status.BAD_REQUEST_400.code(), why);
  }

  /** Returns a refusal after which the web server closes the connection. */
  static RequestException refused(int status, String why) {
    return RequestException.builder()
        .type(DirectHandler.EventType.BAD_REQUEST)
        .status(Status.create(status))
        .setKeepAlive(false)
        .message(why)
        .build();
  }

  static DirectHandlers inTheContractsEnvelope() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
      handlers.addHandler(type, Refusals::envelope);
    }
    return handlers.build();
  }

  private static DirectHandler.TransportResponse envelope(
      DirectHandler.TransportRequest request,
      DirectHandler.EventType event,
      Status status,
      ServerResponseHeaders headers,
      String message) {
    return DirectHandler.TransportResponse.builder()
        .status(status)
        .headers(headers)
        .header(HeaderValues.create(HeaderNames.CONTENT_TYPE, "application/json"))
        .entity(body(status))
        .keepAlive(false)
        .build();
  }

  private static byte[] body(Status status) {
    int code = status.code();
    if (code == ErrorCode.INTERNAL.status()) {
      return HttpError.body(code, ErrorCode.INTERNAL.type(), ErrorCode.INTERNAL.message());
    }
    if (code == ErrorCode.PAYLOAD_TOO_LARGE.status()) {
      return HttpError.body(
          code, ErrorCode.PAYLOAD_TOO_LARGE.type(), ErrorCode.PAYLOAD_TOO_LARGE.message());
    }
    return HttpError.body(
        code,
        ErrorCode.INVALID_REQUEST.type(),
        "Not a valid HTTP request: " + status.reasonPhrase());
  }
}
