package io.strowger.core.attempt;

import java.time.Duration;

/**
 * Holds a stream back after its first content until it has shown that it flows: an upstream that
 * gives a word a second passes every other deadline. Up to there another candidate can still be
 * asked; what flows well is let through as soon as it has, long before the window is over. House
 * rules, "Streams".
 *
 * @param window longest time a stream is held back, from its first content
 * @param tokensPerSecond fewer than this in the window is too slow; at least 1
 */
public record SlowStreamGuard(Duration window, int tokensPerSecond) {
  static final int BYTES_PER_TOKEN = 4;
  private static final long NANOS = 1_000_000_000;

  public SlowStreamGuard {
    if (window.isNegative() || window.isZero() || tokensPerSecond < 1) {
      throw new IllegalArgumentException("window and tokensPerSecond must be positive");
    }
  }

  /** So many bytes of content, however soon, are all that is asked. */
  long enoughBytes() {
    return Math.max(1, window.toNanos() * tokensPerSecond / NANOS) * BYTES_PER_TOKEN;
  }

  /** What is said of a stream that drips. */
  String complaint() {
    return "gave fewer than " + tokensPerSecond + " tokens a second";
  }
}
