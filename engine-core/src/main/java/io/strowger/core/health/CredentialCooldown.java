package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Until when a credential is not used. The deadline only ever moves away: a later refusal with a
 * shorter wait does not take back what an earlier one said. Lock-free.
 */
final class CredentialCooldown {
  private final AtomicReference<@Nullable Moment> until = new AtomicReference<>();

  /**
   * Whether that closed what was open; a later deadline for what is closed already is no news.
   *
   * @param nanos now
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

  boolean isCooling(HealthClock time) {
    Moment current = until.get();
    return current != null && time.nanos() < current.nanos();
  }

  /** Its deadline when that is still to come, otherwise null. */
  @Nullable Moment after(long nanos) {
    Moment current = until.get();
    return current == null || current.nanos() <= nanos ? null : current;
  }

  void end() {
    until.set(null);
  }
}
