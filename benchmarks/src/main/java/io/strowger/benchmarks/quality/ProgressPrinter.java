package io.strowger.benchmarks.quality;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Prints how many decisions were made: nothing during the first second, then a line each second.
 * Confined to one thread.
 */
final class ProgressPrinter {
  private static final long SECOND = 1_000_000_000;

  private final PrintStream err;
  private final LongSupplier nanoTime;
  private final int total;
  private long due;
  private int count;

  /**
   * @param nanoTime a clock such as {@link System#nanoTime()}
   * @param total the number of decisions to be made
   */
  ProgressPrinter(PrintStream err, LongSupplier nanoTime, int total) {
    this.err = err;
    this.nanoTime = nanoTime;
    this.total = total;
    this.due = nanoTime.getAsLong() + SECOND;
  }

  /** Counts one decision. */
  void decided() {
    count++;
    long now = nanoTime.getAsLong();
    if (now - due >= 0) {
      due = now + SECOND;
      err.printf(Locale.ROOT, "deciding: %,d of %,d%n", count, total);
    }
  }
}
