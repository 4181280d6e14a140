package io.strowger.spi.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a store cannot be opened until an operator does what the message says. The store is
 * left as it was.
 */
public final class StoreRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param sentence for the operator: what is wrong and what to do about it; no secret
   * @param cause null when there is none
   */
  public StoreRefusedException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  /** One sentence that can be printed as it is. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
