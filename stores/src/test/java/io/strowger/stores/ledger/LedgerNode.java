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
 * A ledger and the process it runs in. Its time passes when a test says so. What it would ask for
 * in the background it asks for when told, so that everything happens one after the other.
 */
final class LedgerNode {
  private static final int LOOKS = 10; // at what may be idle, until it is taken for that

  private final Cluster.Node node;
  private final LossyLedgerStore store;
  private final TestAmbient time = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final BookLedger ledger;
  private boolean again; // something is sent a second time

  LedgerNode(Cluster.Node node) {
    this.node = node;
    this.store = new LossyLedgerStore(node.ledger());
    this.ledger = new BookLedger(store, new InTurn());
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

  /** Asks what it would have asked by now. */
  void catchUp() {
    for (Runnable next = later.poll(); next != null; next = later.poll()) {
      next.run();
    }
  }

  /** Some seconds pass, so that what nobody uses is given back, and holds are abandoned. */
  void idle() {
    for (int i = 0; i < LOOKS; i++) {
      time.advance(Duration.ofSeconds(1));
      time.awaitSleepers(1);
    }
  }

  /** Brings what was written down into the database. */
  void flush() {
    assertThat(node.flush()).isTrue();
    again = false;
  }

  /** Tries to, and nothing arrives. */
  void flushInVain() {
    node.faults().failBeforeCommit();
    node.flush();
    node.faults().end();
    again = true;
  }

  /** Does so, and does not know of it: all of it is sent once more. */
  void flushUnanswered() {
    if (again) {
      flush(); // what failed goes alone, and what is behind it would not be sent
    }
    node.faults().failAfterCommit();
    node.flush();
    node.faults().end();
    again = true;
  }

  /** Ends in good order. */
  void close() {
    catchUp();
    store.mend();
    ledger.close();
    time.assertNoThreadsLeft();
    node.close();
  }

  /** Ends at once: nothing is said to anybody. */
  void kill() {
    store.cut();
    ledger.close(); // its thread ends
    time.assertNoThreadsLeft();
    node.kill();
  }

  /** Threads of a ledger are its own, and whoever waits for one waits until it is done. */
  private final class InTurn implements Ambient {
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
        case "strowger-ledger-refill" -> later.add(task);
        default -> {
          return time.startService(name, task);
        }
      }
      return Thread.currentThread();
    }
  }
}
