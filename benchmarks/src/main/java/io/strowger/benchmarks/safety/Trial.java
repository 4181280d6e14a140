package io.strowger.benchmarks.safety;

import java.io.IOException;

/** A trial of a gateway, which is one row of the table. */
interface Trial {
  /** Returns the name of the row, in a few words. */
  String name();

  /**
   * Runs the trial, within the plan's time, and judges the result.
   *
   * @throws IOException when the trial could not be run; faults of the gateway are in the outcome
   */
  Outcome run(Plan plan) throws IOException, InterruptedException;

  /**
   * The duration of a trial.
   *
   * @param seconds the length of each phase of a trial, at least 1
   */
  record Plan(int seconds) {
    public Plan {
      if (seconds < 1) {
        throw new IllegalArgumentException("a phase takes at least a second, was " + seconds);
      }
    }
  }
}
