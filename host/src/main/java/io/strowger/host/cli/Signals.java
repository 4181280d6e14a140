package io.strowger.host.cli;

import sun.misc.Signal;

/** Signals of the operating system. The JDK has no public way to hear them one by one. */
final class Signals {
  private Signals() {}

  /**
   * Runs the action whenever the signal arrives; does nothing on systems that have no such signal.
   */
  static void on(String name, Runnable action) {
    try {
      Signal.handle(new Signal(name), signal -> action.run());
    } catch (IllegalArgumentException unknown) {
      // there is nothing to hear
    }
  }
}
