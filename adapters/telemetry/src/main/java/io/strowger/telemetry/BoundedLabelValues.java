package io.strowger.telemetry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits how many values a label has: the first ones are kept, all later ones are replaced by
 * {@value #OTHER}. An admitted value is kept for good. Safe on any thread; a known value takes no
 * lock.
 */
final class BoundedLabelValues {
  /** The value that replaces all values beyond the bound. */
  static final String OTHER = "other";

  private final int maxValues;
  private final Set<String> admitted = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * @param maxValues how many values are kept, at least 0
   */
  BoundedLabelValues(int maxValues) {
    if (maxValues < 0) {
      throw new IllegalArgumentException("maxValues must be at least 0, was " + maxValues);
    }
    this.maxValues = maxValues;
  }

  /** Returns whether a value is kept; a new one is admitted while there is room. */
  boolean admits(String value) {
    if (admitted.contains(value)) {
      return true;
    }
    if (count.get() >= maxValues
        || count.getAndUpdate(n -> Math.min(maxValues, n + 1)) >= maxValues) {
      return admitted.contains(value);
    }
    if (!admitted.add(value)) {
      count.decrementAndGet(); // another thread added the same value
    }
    return true;
  }

  /** Returns the value if it is kept, otherwise {@link #OTHER}. */
  String valueOrOther(String value) {
    return admits(value) ? value : OTHER;
  }
}
