package io.strowger.providers.http;

import java.io.IOException;
import java.net.ProtocolException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;

/** Tells bytes that are not HTTP from a connection that broke. */
final class Malformed {
  private Malformed() {}

  /** What came is not a response. */
  static ProtocolException of(Exception cause) {
    var malformed = new ProtocolException("what is not HTTP: " + cause.getMessage());
    malformed.initCause(cause);
    return malformed;
  }

  /** The same exception, unless it says that what came is not a response. */
  static IOException orSame(Exception broken) {
    return switch (broken) {
      case TruncatedChunkException cut -> cut;
      case MalformedChunkCodingException chunk -> of(chunk);
      case MessageConstraintException huge -> of(huge);
      case IOException io -> io;
      default -> of(broken); // no head, or libraries that fail in ways they do not declare
    };
  }
}
