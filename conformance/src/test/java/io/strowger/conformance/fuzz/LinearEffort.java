package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;

/**
 * Asserts that work on something eight times as long takes about eight times the effort. Linear
 * work does, and nearly so does work in n log n; quadratic work takes 64 times the effort. The
 * bound lies in between. Work fails only if it exceeds the bound at each of several sizes, since a
 * single measurement may be disturbed.
 */
final class LinearEffort {
  private static final int FACTOR = 8;
  private static final int MAX_GROWTH = 3 * FACTOR;

  /** Effort below this is not compared, since the measurement itself dominates it. */
  private static final long MIN_NANOS = 2_000_000;

  private static final long MIN_BYTES = 1 << 20;

  /**
   * The last size exceeds the number of names that the tokenizer caches; with fewer names the
   * shorter document profits more from the cache.
   */
  private static final int[] SIZES = {1_000, 1_500, 2_000, 4_000, 8_000};

  private LinearEffort() {}

  /**
   * Asserts that some work is linear.
   *
   * @param what a description of the work
   * @param work returns the work for a size
   */
  static void assertLinear(String what, IntFunction<Runnable> work) {
    String measurements = "";
    for (int size : SIZES) {
      // the larger one first: uncompiled code makes it look worse, and then the next size is tried
      Effort large = Effort.of(work.apply(size * FACTOR));
      Effort small = Effort.of(work.apply(size));
      if (isLinear(large.nanos(), small.nanos(), MIN_NANOS)
          && isLinear(large.bytes(), small.bytes(), MIN_BYTES)) {
        return;
      }
      measurements += "\n  " + size + ": " + small + ", " + size * FACTOR + ": " + large;
    }
    assertThat(measurements).as("%s takes more than linear effort", what).isEmpty();
  }

  private static boolean isLinear(long large, long small, long min) {
    return large <= min || large <= small * MAX_GROWTH;
  }
}
