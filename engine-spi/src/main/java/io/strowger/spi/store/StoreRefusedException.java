package io.strowger.spi.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a store cannot be opened or refuses an operation. A retry fails, too, until an
 * operator follows the instruction in the message. The store is left as it was.
 */
public final class StoreRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param sentence what is wrong and what to do about it, for the operator; contains no secret
   * @param cause the cause; null when there is none
   */
  public StoreRefusedException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  /** Returns the message: one sentence that can be printed as it is. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
