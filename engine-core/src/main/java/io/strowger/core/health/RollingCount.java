package io.strowger.core.health;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;

/**
 * How often something happened lately. A ring of counters, each with the time it counts for in its
 * upper half, so that a counter is taken over for a new time and counted up in one compare-and-set:
 * nobody resets anything, and nothing is lost or counted twice on the way.
 *
 * <p>Exact to one slot: what is counted is at least the span and less than a slot more. Lock-free.
 */
final class RollingCount {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long COUNT = 0xFFFF_FFFFL;

  private final long[] cells;
  private final long slotNanos;

  /**
   * @param slots the span is made of; at least 1
   */
  RollingCount(Duration span, int slots) {
    this.slotNanos = span.toNanos() / slots;
    this.cells = new long[slots + 1]; // the last one is the one under way
  }

  /**
   * @param nanos now; not negative
   */
  void add(long nanos) {
    long slot = nanos / slotNanos;
    int index = (int) (slot % cells.length);
    while (true) {
      long cell = (long) CELL.getVolatile(cells, index);
      long age = slot - (cell >>> 32);
      if (age < 0 || (age == 0 && (cell & COUNT) == COUNT)) {
        return; // a whole turn late; or four billion in one slot
      }
      long next = age == 0 ? cell + 1 : slot << 32 | 1;
      if (CELL.compareAndSet(cells, index, cell, next)) {
        return;
      }
    }
  }

  /** Over the whole span. */
  long sum(long nanos) {
    return sum(nanos, cells.length - 1);
  }

  /** Over so many slots and the one under way. */
  long sum(long nanos, int slots) {
    long slot = nanos / slotNanos;
    long sum = 0;
    for (int i = 0; i < cells.length; i++) {
      long cell = (long) CELL.getVolatile(cells, i);
      if (slot - (cell >>> 32) <= slots) {
        sum += cell & COUNT;
      }
    }
    return sum;
  }

  /** How many slots have begun after a moment, besides the one under way; -1 for none. */
  int slotsSince(long moment, long nanos) {
    return (int) Math.min(cells.length - 1, nanos / slotNanos - moment / slotNanos - 1);
  }

  /** When the next slot begins, and a sum may be less than it is now. */
  long nextChange(long nanos) {
    return (nanos / slotNanos + 1) * slotNanos;
  }

  /** Of its arrays. */
  int bytes() {
    return 16 + Long.BYTES * cells.length;
  }

  @Override
  public String toString() {
    return Arrays.toString(cells);
  }
}
