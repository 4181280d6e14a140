package io.strowger.host.server;

import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import java.util.Map;

/** Refuses what is not proper HTTP, in the contract's envelope. */
final class ProtocolErrorResponder {
  private ProtocolErrorResponder() {}

  /** Returns the refusal, with 400, of what could be understood in two ways or in none. */
  static RequestException malformed(String why) {
    return refused(Status.BAD_REQUEST_400.code(), why);
  }

  /** Returns a refusal after which the connection is closed. */
  static RequestException refused(int status, String why) {
    return RequestException.builder()
        .type(DirectHandler.EventType.BAD_REQUEST)
        .status(Status.create(status))
        .setKeepAlive(false)
        .message(why)
        .build();
  }

  /** Returns what a client is told whose request was refused, in the contract's envelope. */
  static WireResponse answer(Status status) {
    return new WireResponse(
        status.code(), Map.of("Content-Type", "application/json"), WireBody.of(body(status)));
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
