package io.strowger.providers.http;

import java.io.IOException;
import java.net.ProtocolException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;

/** Distinguishes malformed HTTP from broken connections. */
final class MalformedResponse {
  private MalformedResponse() {}

  /** Returns the exception for bytes that are not an HTTP response. */
  static ProtocolException of(Exception cause) {
    var malformed = new ProtocolException("an invalid HTTP response: " + cause.getMessage());
    malformed.initCause(cause);
    return malformed;
  }

  /** Returns the exception, converted to {@link ProtocolException} for malformed input. */
  static IOException toIOException(Exception exception) {
    return switch (exception) {
      case TruncatedChunkException cut -> cut;
      case MalformedChunkCodingException chunk -> of(chunk);
      case MessageConstraintException huge -> of(huge);
      case IOException io -> io;
      default -> of(exception); // missing head, or undeclared failures of the library
    };
  }
}
