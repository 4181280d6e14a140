package io.strowger.spi.store;

import org.jspecify.annotations.Nullable;

/**
 * A store cannot be opened, and will not open by itself: somebody must do what the message says.
 * What is there was left as it was.
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
