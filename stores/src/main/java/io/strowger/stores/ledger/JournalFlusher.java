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
  private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);

  private final Ambient ambient;
  private final JournalDelivery journalDelivery;
  private final RepeatedFailureLog repeatedFailureLog;
  private long lastProgressNanos; // on the ambient's nanosecond clock

  /**
   * @param itemKind the kind of items, for the log, such as {@code ledger lines}
   */
  JournalFlusher(
      Database database,
      Journal journal,
      Ambient ambient,
      JournalSink journalSink,
      String itemKind) {
    this.ambient = ambient;
    var sender = new JournalDelivery.Sender(journal.node().toString(), journal.boot(), true);
    this.journalDelivery = new JournalDelivery(database, sender, journal::cursor, journalSink, 0);
    this.repeatedFailureLog =
        new RepeatedFailureLog(
            itemKind + " cannot be written to the database and stay in the journal");
    this.lastProgressNanos = ambient.nanoTime();
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
        lastProgressNanos = ambient.nanoTime();
        repeatedFailureLog.succeeded();
      }
      boolean allDelivered = reportIfQuiet();
      repeatedFailureLog.succeeded();
      return allDelivered;
    } catch (StoreUnavailableException | IOException e) {
      journalDelivery.handleFailure();
      repeatedFailureLog.failed(e);
      return false;
    }
  }

  private boolean reportIfQuiet() throws IOException {
    long now = ambient.nanoTime();
    boolean allDelivered = true;
    if (now - lastProgressNanos >= HEARTBEAT_INTERVAL.toNanos()) {
      allDelivered = reportProgress();
      lastProgressNanos = now;
    }
    return allDelivered;
  }

  /** Returns {@link JournalDelivery#hasSkipped}. */
  boolean hasSkipped() {
    return journalDelivery.hasSkipped();
  }

  /**
   * Records that this node is alive, and {@link JournalDelivery#reportProgress how far it has
   * read}.
   */
  boolean reportProgress() throws IOException {
    return journalDelivery.reportProgress();
  }
}
