package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;

/**
 * Whether work on something eight times as long takes about eight times the effort. Linear work
 * does, work in n log n nearly; quadratic work takes sixty-four times. The bound lies in between,
 * and only work that is beyond it at every one of several sizes fails: chance may spoil a
 * measurement, but not hide a square for long.
 */
final class Doubling {
  private static final int TIMES = 8;
  private static final int MOST = 3 * TIMES;

  /** Below this, what is measured is the measuring. */
  private static final long MIN_NANOS = 2_000_000;

  private static final long MIN_BYTES = 1 << 20;

  /**
   * The last is beyond what the tokenizer remembers of names: below it the short one is cheaper.
   */
  private static final int[] SIZES = {1_000, 1_500, 2_000, 4_000, 8_000};

  private Doubling() {}

  /**
   * @param what in words
   * @param work of a size
   */
  static void isLinear(String what, IntFunction<Runnable> work) {
    String found = "";
    for (int size : SIZES) {
      // the long one first: what is not compiled yet makes it look worse, and is then tried again
      Effort large = Effort.of(work.apply(size * TIMES));
      Effort small = Effort.of(work.apply(size));
      if (isLinear(large.nanos(), small.nanos(), MIN_NANOS)
          && isLinear(large.bytes(), small.bytes(), MIN_BYTES)) {
        return;
      }
      found += "\n  " + size + ": " + small + ", " + size * TIMES + ": " + large;
    }
    assertThat(found).as("%s costs more than its length", what).isEmpty();
  }

  private static boolean isLinear(long large, long small, long least) {
    return large <= least || large <= small * MOST;
  }
}
