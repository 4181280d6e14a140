package io.strowger.core.overload;

import io.strowger.spi.store.KeyId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits how many requests plugins and tools send to sites and services at a time for one key, so
 * that no key takes all connections with sites that answer slowly. Safe on any thread.
 */
public final class OutgoingCallLimiter {
  /** The maximum for one key: a panel of eight models may have four each. */
  public static final int MAX_PER_KEY = 32;

  private final ConcurrentMap<KeyId, Integer> underway = new ConcurrentHashMap<>();

  /** Begins a request, to be ended by {@link #end}; returns false when the key is at its limit. */
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

  /** Ends a request for which {@link #begin} returned true. */
  public void end(KeyId key) {
    underway.computeIfPresent(key, (same, now) -> now == 1 ? null : now - 1);
  }
}
