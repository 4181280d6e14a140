package io.strowger.host.server;

import io.strowger.core.wire.WireBody;
import io.strowger.spi.provider.Cancellation;

/**
 * A request and the connection its answer is written to.
 *
 * @param connection the connection of the request
 * @param cancellation the cancellation of the request
 * @param writtenBefore the number of bytes written to the connection before this answer
 */
record HttpServerExchange(
    RequestHead head,
    RequestBody body,
    HttpConnection connection,
    Cancellation cancellation,
    long writtenBefore) {
  private static final String HEAD = "HEAD";

  /** Returns whether this is a HEAD request, whose answer has no body. */
  boolean isHead() {
    return head.method().equals(HEAD);
  }

  /** Returns how the client finds the end of the answer. */
  AnswerOutput.Framing framing(WireBody answer) {
    if (isHead()) {
      return AnswerOutput.Framing.HEAD_ONLY;
    }
    if (answer.length() >= 0) {
      return AnswerOutput.Framing.CONTENT_LENGTH;
    }
    return head.isHttp10() ? AnswerOutput.Framing.UNTIL_CLOSE : AnswerOutput.Framing.CHUNKED;
  }
}
