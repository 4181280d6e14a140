package io.strowger.core.destination;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before calls are sent again: a second after the first failure, then twice as
 * long each time, up to 30 seconds; longer when the destination asks for it. For one thread.
 */
final class RetryBackoff {
  private static final Duration INITIAL = Duration.ofSeconds(1);
  private static final Duration MAX = Duration.ofSeconds(30);

  /** The longest pause that a destination may ask for. */
  private static final Duration MAX_REQUESTED = Duration.ofHours(1);

  private final Ambient ambient;
  private Duration next = INITIAL;
  private @Nullable Long earliest; // nanoTime before which nothing is sent; null: send at once

  RetryBackoff(Ambient ambient) {
    this.ambient = ambient;
  }

  /**
   * Returns the pause after another failure.
   *
   * @param requested the pause that the destination asks for; zero when it asks for none
   */
  Duration next(Duration requested) {
    Duration pause = withJitter(next);
    next = min(next.multipliedBy(2), MAX);
    return max(pause, min(requested, MAX_REQUESTED));
  }

  /** Makes the next pause short again. */
  void reset() {
    next = INITIAL;
  }

  /**
   * Begins a pause; {@link #takeRemaining} returns what is left of it. Of two pauses, the one that
   * ends later counts.
   */
  void begin(Duration pause) {
    if (pause.isPositive()) {
      long end = ambient.nanoTime() + min(pause, MAX_REQUESTED).toNanos();
      Long other = earliest;
      earliest = other != null && other - end > 0 ? other : Long.valueOf(end);
    }
  }

  /** Returns what is left of the pause that was begun, and forgets it; zero when there is none. */
  Duration takeRemaining() {
    Long until = earliest;
    earliest = null;
    return until == null
        ? Duration.ZERO
        : max(Duration.ofNanos(until - ambient.nanoTime()), Duration.ZERO);
  }

  /** Returns half to all of a pause, so that many gateways do not retry at the same moment. */
  private Duration withJitter(Duration pause) {
    long half = pause.toNanos() / 2;
    return Duration.ofNanos(half + Long.remainderUnsigned(ambient.seed(), half + 1));
  }

  private static Duration min(Duration left, Duration right) {
    return left.compareTo(right) < 0 ? left : right;
  }

  private static Duration max(Duration left, Duration right) {
    return left.compareTo(right) > 0 ? left : right;
  }
}
