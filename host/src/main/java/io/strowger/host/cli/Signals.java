package io.strowger.host.cli;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Signals of the operating system. The JDK has no public way to hear them one by one. */
final class Signals {
  private Signals() {}

  /**
   * Runs the action whenever the signal arrives; does nothing on systems that have no such signal.
   *
   * @return false when the process ignores the signal, as one started under {@code nohup} does
   *     SIGHUP: the action never runs then
   */
  static boolean on(String name, Runnable action) {
    try {
      return Signal.handle(new Signal(name), signal -> action.run()) != SignalHandler.SIG_IGN;
    } catch (IllegalArgumentException unknown) {
      return true; // nobody sends what the system does not have
    }
  }
}
