package io.strowger.benchmarks.report;

import io.strowger.benchmarks.http.Child;

/** What a process of the JVM costs that does nothing but say that it is there. */
final class EmptyProgram {
  private EmptyProgram() {}

  /**
   * Says that it listens, which it does not, and waits until it is not wanted any more.
   *
   * @param args nothing
   */
  public static void main(String[] args) {
    Child.listening("none:0");
  }
}
