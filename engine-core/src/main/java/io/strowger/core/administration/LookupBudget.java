package io.strowger.core.administration;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How often the store may be asked for keys that nobody here has seen: enough for a node that
 * starts under load, and a bound for a stranger who makes keys up. Safe on any thread.
 */
final class LookupBudget {
  /** One lookup is earned in this time, in nanoseconds: 2,000 a second. */
  private static final long EARNED = Duration.ofSeconds(1).toNanos() / 2_000;

  /** Earnings of ten seconds, 20,000 lookups, can be saved. */
  private static final long SAVED = Duration.ofSeconds(10).toNanos();

  private final Ambient ambient;
  private final AtomicLong spentUntil; // on Ambient.nanoTime()

  LookupBudget(Ambient ambient) {
    this.ambient = ambient;
    this.spentUntil = new AtomicLong(ambient.nanoTime() - SAVED);
  }

  /** One lookup; false when it has to wait. */
  boolean take() {
    long now = ambient.nanoTime();
    while (true) {
      long until = spentUntil.get();
      long next = Math.max(until - now, -SAVED) + EARNED;
      if (next > 0) {
        return false;
      }
      if (spentUntil.compareAndSet(until, now + next)) {
        return true;
      }
    }
  }
}
