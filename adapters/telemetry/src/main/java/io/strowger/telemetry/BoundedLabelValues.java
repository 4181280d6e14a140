package io.strowger.telemetry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps the values of a label few: the first ones that come are themselves, all further ones are
 * {@value #OTHER}. A value that was admitted stays itself. Safe on any thread; a known value takes
 * no lock.
 */
final class BoundedLabelValues {
  /** What all values beyond the bound are called. */
  static final String OTHER = "other";

  private final int most;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * @param most values that are themselves, at least 0
   */
  BoundedLabelValues(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("the bound must be at least 0, was " + most);
    }
    this.most = most;
  }

  /** Whether a value is one of the few; one that is new takes the next place, if there is one. */
  boolean admits(String value) {
    if (known.contains(value)) {
      return true;
    }
    if (count.get() >= most || count.getAndUpdate(now -> Math.min(most, now + 1)) >= most) {
      return known.contains(value);
    }
    if (!known.add(value)) {
      count.decrementAndGet(); // another thread brought the same value
    }
    return true;
  }

  /** Returns the value, or {@link #OTHER}. */
  String bounded(String value) {
    return admits(value) ? value : OTHER;
  }
}
