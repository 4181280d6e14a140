package io.strowger.core.record;

/** A row is damaged, or a later version wrote it. The message says which. */
public final class UnreadableRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableRowException(String message) {
    super(message);
  }
}
