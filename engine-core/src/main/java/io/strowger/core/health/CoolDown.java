package io.strowger.core.health;

import io.strowger.core.health.Timeline.Moment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Until when a credential is not used. The deadline only ever moves away: a later refusal with a
 * shorter wait does not take back what an earlier one said. Lock-free.
 */
final class CoolDown {
  private final AtomicReference<@Nullable Moment> until = new AtomicReference<>();

  /** Whether that moved the deadline. */
  boolean extend(Moment deadline) {
    while (true) {
      Moment current = until.get();
      if (current != null && current.nanos() >= deadline.nanos()) {
        return false;
      }
      if (until.compareAndSet(current, deadline)) {
        return true;
      }
    }
  }

  boolean isCooling(Timeline time) {
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
