package io.strowger.benchmarks.safety;

import java.io.IOException;

/** One row of the table: something is done to a gateway, and what came of it is judged. */
interface Trial {
  /** What the row is called, in a few words. */
  String name();

  /**
   * Does it, within the plan's time.
   *
   * @throws IOException when it could not be done at all; what a gateway does wrong is an outcome
   */
  Outcome run(Plan plan) throws IOException, InterruptedException;

  /**
   * How long things take.
   *
   * @param seconds of each phase of a row, at least 1
   */
  record Plan(int seconds) {
    public Plan {
      if (seconds < 1) {
        throw new IllegalArgumentException("a phase takes at least a second, was " + seconds);
      }
    }
  }
}
