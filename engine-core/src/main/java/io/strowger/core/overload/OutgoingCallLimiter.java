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

  private final ConcurrentMap<KeyId, Integer> counts = new ConcurrentHashMap<>();

  /** Begins a request, to be ended by {@link #end}; returns false when the key is at its limit. */
  public boolean begin(KeyId key) {
    var isAllowed = new AtomicBoolean();
    counts.compute(
        key,
        (id, current) -> {
          int count = current == null ? 0 : current;
          isAllowed.setPlain(count < MAX_PER_KEY);
          return isAllowed.getPlain() ? Integer.valueOf(count + 1) : current;
        });
    return isAllowed.getPlain();
  }

  /** Ends a request for which {@link #begin} returned true. */
  public void end(KeyId key) {
    counts.computeIfPresent(key, (id, current) -> current == 1 ? null : current - 1);
  }
}
