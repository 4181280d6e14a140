package io.strowger.benchmarks.http;

import java.util.Arrays;

/** A growing list of times in nanoseconds. */
public final class Samples {
  private long[] nanos = new long[1024];
  private int size;

  public void add(long value) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, size * 2);
    }
    nanos[size++] = value;
  }

  public void addAll(Samples others) {
    for (int i = 0; i < others.size; i++) {
      add(others.nanos[i]);
    }
  }

  public int size() {
    return size;
  }

  /**
   * Returns the smallest sample that at least this share of the samples do not exceed.
   *
   * @param share a number above 0 and at most 1; 0.5 is the median
   * @throws IllegalStateException when there are none
   */
  public long quantile(double share) {
    if (size == 0) {
      throw new IllegalStateException("no samples");
    }
    long[] sorted = Arrays.copyOf(nanos, size);
    Arrays.sort(sorted);
    return sorted[Math.max(0, (int) Math.ceil(share * size) - 1)];
  }
}
