package io.strowger.core.health;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * How fast it was in the last minutes: a ring of histograms, so what is measured on is the span and
 * up to one slot more. A histogram exists only for a time in which something happened, is never
 * emptied for reuse, and is dropped when its time is over. Recording is lock-free: one atomic
 * addition. Reading is for any thread.
 */
final class RollingSpeeds {
  private static final int SLOTS = 11; // ten half minutes and the one under way
  private static final int LONG_SLOTS = 7; // six of five minutes and the one under way

  /** Of what is kept of five minutes, and of half an hour. */
  static final int MOST_BYTES =
      (SLOTS + LONG_SLOTS) * (LogLinearBuckets.BUCKETS * Integer.BYTES + 48) + 2 * 80;

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int[] PERCENT = {50, 75, 90, 99};

  private final LogLinearBuckets scale;
  private final boolean lowerTail;
  private final long slotNanos;
  private final AtomicReferenceArray<@Nullable Slot> ring;

  private record Slot(long number, int[] counts) {}

  private RollingSpeeds(LogLinearBuckets scale, boolean lowerTail, Duration slot, int slots) {
    this.scale = scale;
    this.lowerTail = lowerTail;
    this.slotNanos = slot.toNanos();
    this.ring = new AtomicReferenceArray<>(slots);
  }

  /**
   * Of five minutes, in slots of a half.
   *
   * @param lowerTail a percentile is the value that so many reach at least, not at most
   */
  static RollingSpeeds ofFiveMinutes(LogLinearBuckets scale, boolean lowerTail) {
    return new RollingSpeeds(scale, lowerTail, Duration.ofSeconds(30), SLOTS);
  }

  /** Of half an hour, in slots of five minutes. */
  static RollingSpeeds ofHalfAnHour(LogLinearBuckets scale, boolean lowerTail) {
    return new RollingSpeeds(scale, lowerTail, Duration.ofMinutes(5), LONG_SLOTS);
  }

  /**
   * @param nanos now; not negative
   */
  void record(long nanos, long value) {
    Slot slot = slot(nanos / slotNanos);
    if (slot != null) {
      COUNTS.getAndAdd(slot.counts, scale.bucket(value), 1);
    }
  }

  private @Nullable Slot slot(long number) {
    int index = (int) (number % ring.length());
    while (true) {
      Slot current = ring.get(index);
      if (current != null && current.number >= number) {
        return current.number == number ? current : null; // null: a whole turn late
      }
      ring.compareAndSet(index, current, new Slot(number, new int[LogLinearBuckets.BUCKETS]));
    }
  }

  /**
   * What was measured lately.
   *
   * @param percentiles by {@link EndpointStatistics.Percentile#ordinal()}; null without samples
   */
  record Measured(int samples, long @Nullable [] percentiles) {
    private static final Measured NOTHING = new Measured(0, null);
  }

  /** Lets go of what is too old. */
  void forget(long nanos) {
    for (int i = 0; i < ring.length(); i++) {
      Slot slot = ring.get(i);
      if (slot != null && nanos / slotNanos - slot.number >= ring.length()) {
        ring.compareAndSet(i, slot, null);
      }
    }
  }

  /** Of the span; lets go of what is older. */
  Measured measured(long nanos) {
    forget(nanos);
    long @Nullable [] sums = null;
    for (int i = 0; i < ring.length(); i++) {
      Slot slot = ring.get(i);
      if (slot == null) {
        continue;
      }
      sums = sums == null ? new long[LogLinearBuckets.BUCKETS] : sums;
      for (int bucket = 0; bucket < sums.length; bucket++) {
        sums[bucket] += (int) COUNTS.getVolatile(slot.counts, bucket) & 0xFFFF_FFFFL;
      }
    }
    return sums == null ? Measured.NOTHING : measured(sums);
  }

  private Measured measured(long[] sums) {
    long all = 0;
    for (long sum : sums) {
      all += sum;
    }
    if (all == 0) {
      return Measured.NOTHING; // the first is about to be counted
    }
    var percentiles = new long[PERCENT.length];
    for (int i = 0; i < percentiles.length; i++) {
      percentiles[i] = scale.middle(bucketOf((PERCENT[i] * all + 99) / 100, sums));
    }
    return new Measured((int) Math.min(Integer.MAX_VALUE, all), percentiles);
  }

  /** The bucket of the nearest rank, counted from the end that is the good one. */
  private int bucketOf(long rank, long[] sums) {
    long seen = 0;
    for (int i = 0; i < sums.length; i++) {
      int bucket = lowerTail ? sums.length - 1 - i : i;
      seen += sums[bucket];
      if (seen >= rank) {
        return bucket;
      }
    }
    throw new IllegalStateException("rank " + rank + " of " + seen);
  }

  long nextChange(long nanos) {
    return (nanos / slotNanos + 1) * slotNanos;
  }

  /** Of the histograms it has now. */
  int bytes() {
    int bytes = 80;
    for (int i = 0; i < ring.length(); i++) {
      Slot slot = ring.get(i);
      bytes += slot == null ? 0 : 48 + Integer.BYTES * slot.counts.length;
    }
    return bytes;
  }
}
