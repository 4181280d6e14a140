package io.strowger.spi.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a store cannot be reached in time or cannot write. Callers of the gateway receive
 * 503. The operation may or may not have taken effect.
 */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param message what could not be done, for the log; contains no secret
   * @param cause the cause; null when there is none
   */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
