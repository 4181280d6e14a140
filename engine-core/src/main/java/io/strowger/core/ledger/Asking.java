package io.strowger.core.ledger;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A question to the store that is under way, for everybody who needs the answer. */
final class Asking {
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable String failure;

  /**
   * @param why there is no answer; null when there is one
   */
  void end(@Nullable String why) {
    failure = why;
    over.countDown();
  }

  /**
   * Waits for the answer, which is there in two seconds: a store promises that.
   *
   * @return why there is none; null when there is one
   */
  @Nullable String await() {
    boolean interrupted = false;
    while (true) {
      try {
        over.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return failure;
  }
}
