package io.strowger.core.health;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * How fast it was in the last five minutes: a ring of histograms of half a minute each, so what is
 * measured on is five minutes and up to a half more. A histogram exists only for a time in which
 * something happened, is never emptied for reuse, and is dropped when its time is over.
 *
 * <p>At most {@value #SLOTS} histograms of {@value LogLinear#BUCKETS} counters, {@value
 * #MOST_BYTES} bytes. Recording is lock-free: one atomic addition. Reading is for one thread at a
 * time.
 */
final class RollingSpeeds {
  static final int SLOTS = 11; // ten and the one under way
  static final int MOST_BYTES = SLOTS * (LogLinear.BUCKETS * Integer.BYTES + 48) + 80;

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final long SLOT_NANOS = Duration.ofSeconds(30).toNanos();
  private static final int[] PERCENT = {50, 75, 90, 99};

  private final LogLinear scale;
  private final boolean lowerTail;
  private final AtomicReferenceArray<@Nullable Slot> ring = new AtomicReferenceArray<>(SLOTS);

  private record Slot(long number, int[] counts) {}

  /**
   * @param lowerTail a percentile is the value that so many reach at least, not at most
   */
  RollingSpeeds(LogLinear scale, boolean lowerTail) {
    this.scale = scale;
    this.lowerTail = lowerTail;
  }

  /**
   * @param nanos now; not negative
   */
  void record(long nanos, long value) {
    Slot slot = slot(nanos / SLOT_NANOS);
    if (slot != null) {
      COUNTS.getAndAdd(slot.counts, scale.bucket(value), 1);
    }
  }

  private @Nullable Slot slot(long number) {
    int index = (int) (number % SLOTS);
    while (true) {
      Slot current = ring.get(index);
      if (current != null && current.number >= number) {
        return current.number == number ? current : null; // null: a whole turn late
      }
      ring.compareAndSet(index, current, new Slot(number, new int[LogLinear.BUCKETS]));
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

  /** Of the last five minutes; lets go of what is older. */
  Measured measured(long nanos) {
    long @Nullable [] sums = null;
    for (int i = 0; i < SLOTS; i++) {
      Slot slot = ring.get(i);
      if (slot == null) {
        continue;
      }
      if (nanos / SLOT_NANOS - slot.number >= SLOTS) {
        ring.compareAndSet(i, slot, null);
        continue;
      }
      sums = sums == null ? new long[LogLinear.BUCKETS] : sums;
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

  static long nextChange(long nanos) {
    return (nanos / SLOT_NANOS + 1) * SLOT_NANOS;
  }

  /** Of the histograms it has now. */
  int bytes() {
    int bytes = 80;
    for (int i = 0; i < SLOTS; i++) {
      Slot slot = ring.get(i);
      bytes += slot == null ? 0 : 48 + Integer.BYTES * slot.counts.length;
    }
    return bytes;
  }
}
