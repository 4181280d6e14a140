package io.strowger.core.meter;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;

/**
 * What ended an answer, which decides whether the caller pays for it. The insurance of the contract
 * covers failures of a provider, and bugs. An answer that the gateway or the caller ended is free
 * only if it has no output. The table is in {@code docs/errors.md}, the reasons in decision 24.
 */
public enum EndCause {
  /** The answer is complete: the provider said why it ended, or the gateway cut it at its hold. */
  COMPLETE,
  /** The provider failed, fell silent, or broke its protocol. */
  PROVIDER,
  /**
   * The gateway ended it: its total deadline passed, it shuts down, its memory ran out, or a plugin
   * refused.
   */
  GATEWAY,
  /** The caller went away or closed the answer. */
  CALLER,
  /** A bug of the gateway, an adapter or a plugin ended it. */
  BUG;

  /** Returns what ended an answer that failed. */
  public static EndCause of(Event.Failed failure) {
    if (failure.kind() == FailureKind.CANCELLED) {
      return CALLER;
    }
    if (failure.cause() != null) {
      return PROVIDER;
    }
    return failure.code() == ErrorCode.INTERNAL ? BUG : GATEWAY;
  }

  /** Returns what ended an answer with a stop reason. */
  public static EndCause of(StopReason reason) {
    return reason == StopReason.ERROR ? PROVIDER : COMPLETE;
  }

  /**
   * Returns whether the insurance covers the answer, so that no token is charged. Resources fact
   * sheet, section 13: an answer that ended in a provider's error, or that has no output and gave
   * no reason for its end.
   */
  public boolean isInsured(Usage usage) {
    return switch (this) {
      case COMPLETE -> false;
      case PROVIDER, BUG -> true;
      case GATEWAY, CALLER -> usage.completionTokens() == 0;
    };
  }

  /**
   * Returns whether the insurance covers a spoken answer: audible sound is charged, unless a bug
   * ended the answer. Resources fact sheet, section 13.
   *
   * @param isAudible whether at least one frame or sample of sound was delivered
   */
  public boolean isSoundInsured(boolean isAudible) {
    return !isAudible || this == BUG;
  }
}
