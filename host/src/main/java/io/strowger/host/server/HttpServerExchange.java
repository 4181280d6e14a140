package io.strowger.host.server;

import io.strowger.core.wire.WireBody;
import io.strowger.spi.provider.Cancellation;

/**
 * A request and what its answer goes to.
 *
 * @param connection what the request came on
 * @param cancellation of the request
 * @param writtenBefore bytes written to the connection before this answer
 */
record HttpServerExchange(
    RequestHead head,
    RequestBody body,
    HttpConnection connection,
    Cancellation cancellation,
    long writtenBefore) {
  private static final String HEAD = "HEAD";

  /** Returns true when the answer is a head alone. */
  boolean isHead() {
    return head.method().equals(HEAD);
  }

  /** Returns how the client learns where the answer ends. */
  AnswerOutput.Framing framing(WireBody answer) {
    if (isHead()) {
      return AnswerOutput.Framing.HEAD_ALONE;
    }
    if (answer.length() >= 0) {
      return AnswerOutput.Framing.COUNTED;
    }
    return head.isHttp10() ? AnswerOutput.Framing.CONNECTION : AnswerOutput.Framing.CHUNKS;
  }
}
