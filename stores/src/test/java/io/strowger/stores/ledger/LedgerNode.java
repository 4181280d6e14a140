package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Ledger;
import io.strowger.spi.ambient.Ambient;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A ledger with the process that it runs in. A test controls its time, and when it makes the
 * requests that a ledger makes in the background, so that everything happens one after the other.
 */
final class LedgerNode {
  private static final int IDLE_SECONDS = 10; // until unused slices are returned

  private final Cluster.Node node;
  private final LossyLedgerStore store;
  private final TestAmbient time = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Queue<Runnable> backgroundRequests = new ArrayDeque<>();
  private final BookLedger ledger;
  private boolean mustResend; // since the last flush failed

  LedgerNode(Cluster.Node node) {
    this.node = node;
    this.store = new LossyLedgerStore(node.ledger());
    this.ledger = new BookLedger(store, new SequentialAmbient());
    time.awaitSleepers(1);
  }

  Ledger ledger() {
    return ledger;
  }

  Cluster.Node node() {
    return node;
  }

  LossyLedgerStore store() {
    return store;
  }

  long nanoTime() {
    return time.nanoTime();
  }

  /** Makes the background requests that are due. */
  void catchUp() {
    for (Runnable next = backgroundRequests.poll();
        next != null;
        next = backgroundRequests.poll()) {
      next.run();
    }
  }

  /** Lets some seconds pass, so that unused slices are returned and old holds abandoned. */
  void idle() {
    for (int i = 0; i < IDLE_SECONDS; i++) {
      time.advance(Duration.ofSeconds(1));
      time.awaitSleepers(1);
    }
  }

  /** Writes the journal to the database. */
  void flush() {
    assertThat(node.flush()).isTrue();
    mustResend = false;
  }

  /** Tries to write the journal to the database, but nothing arrives. */
  void flushFailing() {
    node.faults().failBeforeCommit();
    node.flush();
    node.faults().endFailures();
    mustResend = true;
  }

  /** Writes the journal to the database without an answer, so that all is sent once more. */
  void flushUnanswered() {
    if (mustResend) {
      flush(); // a failed item is sent alone, so those after it would not be sent
    }
    node.faults().failAfterCommit();
    node.flush();
    node.faults().endFailures();
    mustResend = true;
  }

  /** Ends the process properly. */
  void close() {
    catchUp();
    store.mend();
    ledger.close();
    time.assertNoThreadsLeft();
    node.close();
  }

  /** Ends the process at once, without any clean-up. */
  void kill() {
    store.cut();
    ledger.close(); // ends its thread
    time.assertNoThreadsLeft();
    node.kill();
  }

  /** Runs the requests of a ledger at once, or when it catches up, and not on other threads. */
  private final class SequentialAmbient implements Ambient {
    @Override
    public Instant now() {
      return time.now();
    }

    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public long seed() {
      return time.seed();
    }

    @Override
    public void sleep(Duration length) throws InterruptedException {
      time.sleep(length);
    }

    @Override
    public Thread start(String name, Runnable task) {
      return time.start(name, task);
    }

    @Override
    public Thread startService(String name, Runnable task) {
      switch (name) {
        case "strowger-ledger-ask" -> task.run();
        case "strowger-ledger-refill" -> backgroundRequests.add(task);
        default -> {
          return time.startService(name, task);
        }
      }
      return Thread.currentThread();
    }
  }
}
