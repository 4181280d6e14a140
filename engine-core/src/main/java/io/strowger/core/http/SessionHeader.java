package io.strowger.core.http;

import io.strowger.core.decode.Problems;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import org.jspecify.annotations.Nullable;

/** {@code x-session-id}, which is used if {@code session_id} is absent. Contract: "Limits". */
final class SessionHeader {
  private static final int MAX_CHARS = 256;

  private SessionHeader() {}

  /**
   * Returns the session from the header; null when the body has its own, valid or not, when the
   * header is absent or empty, and when it is too long, which is noted as a problem.
   */
  static @Nullable String of(WireRequest.Headers headers, Json.Obj body, Problems problems) {
    String session = headers.first("x-session-id");
    if (session == null || session.isEmpty() || body.has("session_id")) {
      return null;
    }
    if (session.codePointCount(0, session.length()) <= MAX_CHARS) {
      return session;
    }
    problems.add(
        JsonPointer.ROOT,
        "the header x-session-id must have at most 256 characters",
        Problems.displayText(Json.of(session)));
    return null;
  }
}
