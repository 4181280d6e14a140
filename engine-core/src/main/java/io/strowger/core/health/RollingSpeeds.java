package io.strowger.core.health;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Recent speeds of an endpoint, in a ring of histograms: a measurement covers the span and up to
 * one slot more. A histogram exists only for a slot with samples, is never cleared for reuse, and
 * is dropped when it is too old. Recording is lock-free: one atomic addition. Reading is safe on
 * any thread.
 */
final class RollingSpeeds {
  private static final int FIVE_MINUTE_SLOTS = 11; // ten half minutes and the current one
  private static final int HALF_HOUR_SLOTS = 7; // six of five minutes and the current one

  /** The most bytes of a five-minute ring and a half-hour ring together. */
  static final int MAX_BYTES =
      (FIVE_MINUTE_SLOTS + HALF_HOUR_SLOTS) * (LogLinearBuckets.BUCKETS * Integer.BYTES + 48)
          + 2 * 80;

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int[] PERCENTILES = {50, 75, 90, 99};

  private final LogLinearBuckets scale;
  private final boolean lowIsSlow;
  private final long slotNanos;
  private final AtomicReferenceArray<@Nullable Slot> ring;

  private record Slot(long number, int[] counts) {}

  private RollingSpeeds(LogLinearBuckets scale, boolean lowIsSlow, Duration slot, int slots) {
    this.scale = scale;
    this.lowIsSlow = lowIsSlow;
    this.slotNanos = slot.toNanos();
    this.ring = new AtomicReferenceArray<>(slots);
  }

  /**
   * Creates a ring of five minutes, in slots of half a minute.
   *
   * @param lowIsSlow true if the p-th percentile is the value that p % of the samples reach or
   *     exceed; false if it is the value that p % do not exceed
   */
  static RollingSpeeds ofFiveMinutes(LogLinearBuckets scale, boolean lowIsSlow) {
    return new RollingSpeeds(scale, lowIsSlow, Duration.ofSeconds(30), FIVE_MINUTE_SLOTS);
  }

  /** Creates a ring of half an hour, in slots of five minutes. */
  static RollingSpeeds ofHalfAnHour(LogLinearBuckets scale, boolean lowIsSlow) {
    return new RollingSpeeds(scale, lowIsSlow, Duration.ofMinutes(5), HALF_HOUR_SLOTS);
  }

  /**
   * Records a speed.
   *
   * @param nanos the current time in nanoseconds; not negative
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
        return current.number == number ? current : null; // null: slot was reused
      }
      ring.compareAndSet(index, current, new Slot(number, new int[LogLinearBuckets.BUCKETS]));
    }
  }

  /**
   * The samples and percentiles of the span.
   *
   * @param percentiles by {@link EndpointStatistics.Percentile#ordinal()}; null without samples
   */
  record Measurement(int samples, long @Nullable [] percentiles) {
    private static final Measurement EMPTY = new Measurement(0, null);
  }

  /** Drops histograms that are older than the span. */
  void dropExpired(long nanos) {
    for (int i = 0; i < ring.length(); i++) {
      Slot slot = ring.get(i);
      if (slot != null && nanos / slotNanos - slot.number >= ring.length()) {
        ring.compareAndSet(i, slot, null);
      }
    }
  }

  /** Returns the samples and percentiles of the span, and drops older histograms. */
  Measurement measure(long nanos) {
    dropExpired(nanos);
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
    return sums == null ? Measurement.EMPTY : measure(sums);
  }

  private Measurement measure(long[] sums) {
    long total = 0;
    for (long sum : sums) {
      total += sum;
    }
    if (total == 0) {
      return Measurement.EMPTY; // the slot exists, but its first value is not counted yet
    }
    var percentiles = new long[PERCENTILES.length];
    for (int i = 0; i < percentiles.length; i++) {
      percentiles[i] = scale.midpoint(bucketOf((PERCENTILES[i] * total + 99) / 100, sums));
    }
    return new Measurement((int) Math.min(Integer.MAX_VALUE, total), percentiles);
  }

  /** Returns the bucket with the sample of a rank, counted from the fast end. */
  private int bucketOf(long rank, long[] sums) {
    long count = 0;
    for (int i = 0; i < sums.length; i++) {
      int bucket = lowIsSlow ? sums.length - 1 - i : i;
      count += sums[bucket];
      if (count >= rank) {
        return bucket;
      }
    }
    throw new IllegalStateException("rank " + rank + " of " + count);
  }

  long nextChange(long nanos) {
    return (nanos / slotNanos + 1) * slotNanos;
  }

  /** Returns the approximate size in bytes at the moment. */
  int bytes() {
    int bytes = 80;
    for (int i = 0; i < ring.length(); i++) {
      Slot slot = ring.get(i);
      bytes += slot == null ? 0 : 48 + Integer.BYTES * slot.counts.length;
    }
    return bytes;
  }
}
