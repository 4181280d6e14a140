package io.strowger.core.wire;

import java.io.IOException;

/**
 * Thrown by {@link WireBody#writeNext} when an answer breaks off and its format cannot carry an
 * error. A host must not end the response as if it were complete. It must close the connection so
 * that the client notices: over HTTP/1.1, without the last chunk.
 */
public final class TruncatedAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  public TruncatedAnswerException(String message) {
    super(message);
  }
}
