package io.strowger.stores.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Journal;
import java.io.IOException;
import java.time.Duration;

/**
 * Writes one kind of this node's journal items to the database, as the journal grows. While the
 * database is unreachable, the items stay in the journal. For one thread at a time, except {@link
 * #next}, which is safe on any thread.
 */
final class JournalFlusher {
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);

  private final Ambient ambient;
  private final JournalDelivery journalDelivery;
  private final RepeatedFailureLog repeatedFailureLog;
  private long seen; // on the ambient's nanosecond clock

  /**
   * @param what names the kind of items, for the log
   */
  JournalFlusher(
      Database database, Journal journal, Ambient ambient, JournalSink journalSink, String what) {
    this.ambient = ambient;
    var sender = new JournalDelivery.Sender(journal.node().toString(), journal.boot(), true);
    this.journalDelivery = new JournalDelivery(database, sender, journal::cursor, journalSink, 0);
    this.repeatedFailureLog =
        new RepeatedFailureLog(
            what + " cannot be written to the database and is kept in the journal");
    this.seen = ambient.nanoTime();
  }

  /** Returns {@link JournalDelivery#next}. */
  long next() {
    return journalDelivery.next();
  }

  /**
   * Sends all items.
   *
   * @return whether all items have arrived
   */
  boolean run() {
    try {
      while (journalDelivery.sendNext()) {
        seen = ambient.nanoTime();
        repeatedFailureLog.succeeded();
      }
      boolean all = tellOfLife();
      repeatedFailureLog.succeeded();
      return all;
    } catch (StoreUnavailableException | IOException e) {
      journalDelivery.failed();
      repeatedFailureLog.failed(e);
      return false;
    }
  }

  private boolean tellOfLife() throws IOException {
    long now = ambient.nanoTime();
    boolean all = true;
    if (now - seen >= SIGN_OF_LIFE.toNanos()) {
      all = reportProgress();
      seen = now;
    }
    return all;
  }

  /** Returns {@link JournalDelivery#hasLost}. */
  boolean hasLost() {
    return journalDelivery.hasLost();
  }

  /** Records that this node is alive, and {@link JournalDelivery#tell how far it has read}. */
  boolean reportProgress() throws IOException {
    return journalDelivery.tell();
  }
}
