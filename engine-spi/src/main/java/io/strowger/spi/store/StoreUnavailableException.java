package io.strowger.spi.store;

import org.jspecify.annotations.Nullable;

/**
 * A store cannot be reached in time, or cannot write. Callers are told 503; nothing that was asked
 * may be taken for done, though it may have been.
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
