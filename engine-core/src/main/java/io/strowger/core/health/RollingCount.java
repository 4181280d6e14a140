package io.strowger.core.health;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;

/**
 * Counts recent events in a ring of counters. Each counter has the number of its slot in its upper
 * half, so that a single compare-and-set reuses a counter for a new slot and increments it: no
 * counter is ever reset, and no event is lost or counted twice.
 *
 * <p>Sums are accurate to one slot: a sum covers at least the span and less than one slot more.
 * Lock-free.
 */
final class RollingCount {
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long COUNT_MASK = 0xFFFF_FFFFL;

  private final long[] cells;
  private final long slotNanos;

  /**
   * Creates a counter without events.
   *
   * @param slots the number of slots in the span; at least 1
   */
  RollingCount(Duration span, int slots) {
    this.slotNanos = span.toNanos() / slots;
    this.cells = new long[slots + 1]; // one more for the current slot
  }

  /**
   * Counts one event.
   *
   * @param nanos the current time in nanoseconds; not negative
   */
  void add(long nanos) {
    long slot = nanos / slotNanos;
    int index = (int) (slot % cells.length);
    while (true) {
      long cell = (long) CELLS.getVolatile(cells, index);
      long age = slot - (cell >>> 32);
      if (age < 0 || (age == 0 && (cell & COUNT_MASK) == COUNT_MASK)) {
        return; // the counter already belongs to a later slot, or is full
      }
      long next = age == 0 ? cell + 1 : slot << 32 | 1;
      if (CELLS.compareAndSet(cells, index, cell, next)) {
        return;
      }
    }
  }

  /** Returns the count over the whole span. */
  long sum(long nanos) {
    return sum(nanos, cells.length - 1);
  }

  /** Returns the count over this many slots and the current one. */
  long sum(long nanos, int slots) {
    long slot = nanos / slotNanos;
    long sum = 0;
    for (int i = 0; i < cells.length; i++) {
      long cell = (long) CELLS.getVolatile(cells, i);
      if (slot - (cell >>> 32) <= slots) {
        sum += cell & COUNT_MASK;
      }
    }
    return sum;
  }

  /**
   * Returns the number of slots with which {@link #sum(long, int)} counts only the slots after that
   * of an earlier time; -1, with which nothing is counted, when both times are in the same slot.
   */
  int slotsSince(long thenNanos, long nowNanos) {
    return (int) Math.min(cells.length - 1, nowNanos / slotNanos - thenNanos / slotNanos - 1);
  }

  /** Returns when the next slot begins, in nanoseconds; from then on a sum may be lower. */
  long nextChange(long nanos) {
    return (nanos / slotNanos + 1) * slotNanos;
  }

  /** Returns the size of the array in bytes. */
  int bytes() {
    return 16 + Long.BYTES * cells.length;
  }

  @Override
  public String toString() {
    return Arrays.toString(cells);
  }
}
