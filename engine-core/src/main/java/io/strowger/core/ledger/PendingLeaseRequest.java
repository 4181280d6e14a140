package io.strowger.core.ledger;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A question to the store that is under way, for everybody who needs the answer. */
final class PendingLeaseRequest {
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
   * Waits for the answer.
   *
   * @param nanos for how long at most
   * @return why there is none; null when there is one
   */
  @Nullable String await(long nanos) {
    try {
      return over.await(nanos, TimeUnit.NANOSECONDS)
          ? failure
          : "no answer from the store of the books in time";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted while the store of the books was asked";
    }
  }
}
