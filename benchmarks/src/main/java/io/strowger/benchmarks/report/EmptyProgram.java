package io.strowger.benchmarks.report;

import io.strowger.benchmarks.http.ChildProcess;

/** A program that only announces itself: the floor for the cost of a JVM process. */
final class EmptyProgram {
  private EmptyProgram() {}

  /**
   * Announces an address, although nothing listens there, and waits until the parent ends.
   *
   * @param args none
   */
  public static void main(String[] args) {
    ChildProcess.announceAndWait("none:0");
  }
}
