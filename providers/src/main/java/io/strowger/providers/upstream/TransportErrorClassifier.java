package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory.AnswerTooLargeException;
import io.strowger.providers.sse.SseReader;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.UpstreamException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.util.Locale;

/**
 * Classifies failures of the transport and of the protocol, for which the upstream reported no
 * error.
 */
public final class TransportErrorClassifier {
  private TransportErrorClassifier() {}

  static Failure cancelled(Cancellation.Cause cause) {
    FailureKind kind = cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED;
    String reason = cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return Failure.of(kind, (cause.isTimeout() ? "deadline passed: " : "cancelled: ") + reason);
  }

  /**
   * Returns the failure of an exchange that ended in an exception; if the exchange was cancelled,
   * the failure is that of the cancellation.
   */
  static Failure of(IOException exception, Cancellation cancellation) {
    Cancellation.Cause cause = cancellation.cause();
    if (cause != null) {
      return cancelled(cause);
    }
    return switch (exception) {
      case SocketTimeoutException silent ->
          Failure.of(FailureKind.TIMEOUT, "the upstream was silent too long");
      case SseReader.EventTooLargeException huge ->
          protocolError("the upstream sent " + huge.getMessage());
      case AnswerTooLargeException huge -> protocolError("the upstream sent " + huge.getMessage());
      case ProtocolException malformed ->
          protocolError("the upstream sent " + malformed.getMessage());
      default ->
          Failure.ofLostConnection(FailureKind.UNAVAILABLE, "the connection failed: " + exception);
    };
  }

  /** Returns the failure for a body that ended before the answer did. */
  public static Failure truncated() {
    return Failure.ofLostConnection(FailureKind.PROTOCOL, "the stream ended before the answer did");
  }

  /** Returns the failure for an answer that violates the dialect or HTTP. */
  public static Failure protocolError(String message) {
    return Failure.of(FailureKind.PROTOCOL, message);
  }

  /** Returns the exception for an answer that violates the dialect or HTTP. */
  public static UpstreamException protocolException(String message) {
    return new UpstreamException(protocolError(message));
  }
}
