package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The time until which a credential is not used. The deadline only moves later: a later refusal
 * with a shorter wait does not shorten an earlier one. Lock-free.
 */
final class CredentialCooldown {
  private final AtomicReference<@Nullable Moment> until = new AtomicReference<>();

  /**
   * Extends the deadline, and returns whether that blocked a credential that was usable.
   *
   * @param nanos the current time, as of {@link HealthClock#nanos()}
   */
  boolean extend(Moment deadline, long nanos) {
    while (true) {
      Moment current = until.get();
      if (current != null && current.nanos() >= deadline.nanos()) {
        return false;
      }
      if (until.compareAndSet(current, deadline)) {
        return current == null || current.nanos() <= nanos;
      }
    }
  }

  boolean isCoolingDown(HealthClock clock) {
    Moment current = until.get();
    return current != null && clock.nanos() < current.nanos();
  }

  /** Returns the deadline if it is after this time, otherwise null. */
  @Nullable Moment deadlineAfter(long nanos) {
    Moment current = until.get();
    return current == null || current.nanos() <= nanos ? null : current;
  }

  void end() {
    until.set(null);
  }
}
