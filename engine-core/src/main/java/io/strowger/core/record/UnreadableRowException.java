package io.strowger.core.record;

/** Thrown when a row is damaged or was written by a later version. The message says which. */
public final class UnreadableRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableRowException(String message) {
    super(message);
  }
}
