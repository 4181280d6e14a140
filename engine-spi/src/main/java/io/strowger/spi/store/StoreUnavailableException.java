package io.strowger.spi.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a store cannot be reached in time or cannot write. Callers get 503. What was asked
 * may or may not have been done.
 */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param message for the log: what could not be done; no secret
   * @param cause null when there is none
   */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
