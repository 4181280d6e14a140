package io.strowger.core.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes ledger lines. A line that cannot be written is kept and retried; while there is one,
 * nothing further may be spent, so that a crash of the process loses no more than these lines.
 */
final class LedgerLineWriter {
  private static final Logger log = LoggerFactory.getLogger(LedgerLineWriter.class);
  private static final long RETRY_INTERVAL_NANOS = Duration.ofMillis(250).toNanos();

  private final LedgerStore store;
  private final Ambient ambient;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Posting> unwrittenPostings = new ArrayDeque<>(); // guarded by the lock
  private volatile @Nullable String failure;
  private volatile long lastAttemptNanos;

  LedgerLineWriter(LedgerStore store, Ambient ambient) {
    this.store = store;
    this.ambient = ambient;
  }

  /** Returns why lines cannot be written; null when they can. Retries from time to time. */
  @Nullable String failure() {
    if (failure != null && ambient.nanoTime() - lastAttemptNanos >= RETRY_INTERVAL_NANOS) {
      retry();
    }
    return failure;
  }

  /** Returns whether every line so far is written; retries nothing. */
  boolean isWorking() {
    return failure == null;
  }

  /**
   * Writes the lines, or keeps them for a retry. Never throws, since the money is spent already.
   */
  void append(Posting posting) {
    Throwable cause = null;
    Posting lines = posting;
    if (failure == null) {
      try {
        store.append(posting);
        return;
      } catch (StoreUnavailableException e) {
        cause = e;
      } catch (RuntimeException | Error e) {
        cause = e;
        lines = writeWithoutRecord(posting, e);
        if (lines == null) {
          return;
        }
      }
    }
    lock.lock();
    try {
      unwrittenPostings.add(lines);
      recordFailure(cause);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes a posting that the store rejects without its record: the record may be the cause, and
   * must not prevent the lines from being written.
   *
   * @return the posting that is still to be written; null when the lines are written
   */
  private @Nullable Posting writeWithoutRecord(Posting posting, Throwable cause) {
    if (posting.record() == null) {
      return posting;
    }
    log.error(
        "the record of request {} could not be written with its bill and is lost",
        posting.record(),
        cause);
    var lines = new Posting(posting.entries(), posting.accounts());
    try {
      store.append(lines);
      return null;
    } catch (RuntimeException | Error e) {
      return lines;
    }
  }

  /** Records a failure. Call under the lock, under which {@link #retry} clears it. */
  private void recordFailure(@Nullable Throwable cause) {
    if (failure == null) {
      log.error(
          "the ledger cannot be written; paid requests are refused until it can; check the disk and"
              + " the store",
          cause);
    }
    if (cause != null || failure == null) {
      lastAttemptNanos = ambient.nanoTime();
      failure = "the ledger cannot be written" + (cause == null ? "" : ": " + cause.getMessage());
    }
  }

  /** Writes the lines that could not be written before, in their order. */
  void retry() {
    if (failure == null || !lock.tryLock()) {
      return;
    }
    try {
      for (Posting next = unwrittenPostings.peek(); next != null; next = unwrittenPostings.peek()) {
        write(next);
        unwrittenPostings.remove();
      }
      failure = null;
      log.info("the ledger can be written again");
    } catch (RuntimeException | Error e) {
      recordFailure(e);
    } finally {
      lock.unlock();
    }
  }

  private void write(Posting posting) {
    try {
      store.append(posting);
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (posting.record() == null || writeWithoutRecord(posting, e) != null) {
        throw e;
      }
    }
  }
}
