package io.strowger.core.ambient;

import com.google.common.util.concurrent.Uninterruptibles;

/** Waits until a thread of the engine's own has ended. */
public final class ThreadEnds {
  private ThreadEnds() {}

  /**
   * Returns once the thread has ended, at once when it is the caller's own. An interrupt does not
   * cut the wait short: the caller finds it set afterwards.
   *
   * @param thread was told to end
   */
  public static void await(Thread thread) {
    if (thread != Thread.currentThread()) {
      Uninterruptibles.joinUninterruptibly(thread);
    }
  }
}
