package io.strowger.core.store;

import io.strowger.spi.store.StoreUnavailableException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A question to the store that is under way, for everybody who needs the answer: a node that starts
 * under load asks once for a key, not once for each request that came with it.
 */
@SuppressWarnings("NullableOptional") // empty is an answer, null is none
final class SharedLookup<T> {
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable Optional<T> answer; // null when there is none

  /**
   * The answer is there, or there will be none.
   *
   * @param read null when the store failed
   */
  void end(@Nullable Optional<T> read) {
    answer = read;
    over.countDown();
  }

  /**
   * Waits for the answer, which a store promises in two seconds.
   *
   * @throws StoreUnavailableException when there is none
   */
  Optional<T> await() {
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
    Optional<T> read = answer;
    if (read == null) {
      throw new StoreUnavailableException(
          "the store failed while another request was loading the same document", null);
    }
    return read;
  }
}
