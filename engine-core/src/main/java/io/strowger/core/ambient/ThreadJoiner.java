package io.strowger.core.ambient;

import com.google.common.util.concurrent.Uninterruptibles;

/** Waits for threads of the engine to end. */
public final class ThreadJoiner {
  private ThreadJoiner() {}

  /**
   * Waits for a thread to end; returns at once when it is the current one. An interrupt does not
   * end the wait: the interrupt flag is set again afterwards.
   *
   * @param thread a thread that was asked to end
   */
  public static void joinUninterruptibly(Thread thread) {
    if (thread != Thread.currentThread()) {
      Uninterruptibles.joinUninterruptibly(thread);
    }
  }
}
