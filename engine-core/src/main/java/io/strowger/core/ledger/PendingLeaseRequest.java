package io.strowger.core.ledger;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A request to the store that is under way, shared by all holds that need its answer. */
final class PendingLeaseRequest {
  private final CountDownLatch completion = new CountDownLatch(1);
  private volatile @Nullable String failure;

  /**
   * Ends the request and wakes all waiting threads.
   *
   * @param reason the reason there is no answer; null when there is one
   */
  void complete(@Nullable String reason) {
    failure = reason;
    completion.countDown();
  }

  /**
   * Waits for the answer.
   *
   * @param nanos the longest wait, in nanoseconds
   * @return the reason there is no answer; null when there is one
   */
  @Nullable String await(long nanos) {
    try {
      return completion.await(nanos, TimeUnit.NANOSECONDS)
          ? failure
          : "no answer from the ledger store in time";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted while waiting for the ledger store";
    }
  }
}
