package io.strowger.core.overload;

import io.strowger.spi.store.KeyId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counts what plugins and tools ask of sites and services at the same time for one key, so that no
 * key takes all connections with sites that answer slowly. Safe on any thread.
 */
public final class OutgoingCallLimiter {
  /** Of one key at the same time: a panel of eight models may have four each. */
  public static final int MAX_PER_KEY = 32;

  private final ConcurrentMap<KeyId, Integer> underway = new ConcurrentHashMap<>();

  /** Begins one, to be ended by {@link #end}; false when the key has as many as it may. */
  public boolean begin(KeyId key) {
    var begun = new AtomicBoolean();
    underway.compute(
        key,
        (same, now) -> {
          int before = now == null ? 0 : now;
          begun.setPlain(before < MAX_PER_KEY);
          return begun.getPlain() ? Integer.valueOf(before + 1) : now;
        });
    return begun.getPlain();
  }

  /** Ends one that was begun. */
  public void end(KeyId key) {
    underway.computeIfPresent(key, (same, now) -> now == 1 ? null : now - 1);
  }
}
