package io.strowger.core.attempt;

import java.time.Duration;

/**
 * Holds a stream back after its first content until it has proved fast enough. Until then another
 * candidate can still be tried. A fast stream is let through early, long before the window is over.
 * Without this guard, an upstream that sends one word a second would meet every deadline. House
 * rules, "Streams".
 *
 * @param window longest time a stream is held back, from its first content
 * @param tokensPerSecond the least rate in the window that is let through; at least 1
 */
public record SlowStreamGuard(Duration window, int tokensPerSecond) {
  static final int BYTES_PER_TOKEN = 4;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  public SlowStreamGuard {
    if (window.isNegative() || window.isZero() || tokensPerSecond < 1) {
      throw new IllegalArgumentException("window and tokensPerSecond must be positive");
    }
  }

  /** Returns the bytes of content after which a stream is let through. */
  long requiredBytes() {
    return Math.max(1, window.toNanos() * tokensPerSecond / NANOS_PER_SECOND) * BYTES_PER_TOKEN;
  }

  /** Returns the message for a stream that is too slow. */
  String timeoutMessage() {
    return "the stream delivered fewer than " + tokensPerSecond + " tokens a second";
  }
}
