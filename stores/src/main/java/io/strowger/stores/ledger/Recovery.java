package io.strowger.stores.ledger;

import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.EndedJournal;
import io.strowger.stores.journal.Journal;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the database what earlier processes journaled in the same data directory, and frees
 * their slices when it is certain that nothing is missing. Ledger lines come first; records that
 * cannot be written now wait for the next start.
 */
record Recovery(Database database, JournalSink lines, JournalSink records) {
  private static final Logger log = LoggerFactory.getLogger(Recovery.class);
  private static final int MAX_STEPS = 20;

  /**
   * Delivers the ended journals of a data directory, ends their nodes and deletes the files.
   *
   * @param journal the journal of this process in the same directory
   * @throws StoreUnavailableException when the database cannot be reached
   * @throws IOException when a journal cannot be read
   */
  void run(Journal journal) throws IOException {
    for (EndedJournal endedJournal : journal.endedJournals()) {
      deliver(endedJournal, lines);
      endNode(endedJournal);
    }
    for (EndedJournal endedJournal : journal.endedJournals()) {
      try {
        boolean allDelivered = deliver(endedJournal, records);
        if (allDelivered && endedJournal.complete()) {
          String node = endedJournal.node().toString();
          database.inTransaction(
              "mark a node as delivered", handle -> Nodes.markDelivered(handle, node));
        }
        journal.discard(endedJournal, database::force);
      } catch (StoreUnavailableException later) {
        log.warn(
            "records of node {} could not be written to the database; they stay in its journal"
                + " until the next start",
            endedJournal.node(),
            later);
      }
    }
  }

  /** Delivers the items of one kind of a journal; returns whether none was skipped. */
  private boolean deliver(EndedJournal endedJournal, JournalSink journalSink) throws IOException {
    var sender =
        new JournalDelivery.Sender(endedJournal.node().toString(), endedJournal.boot(), false);
    long from =
        database
            .query(
                "see what has arrived",
                handle -> Nodes.arrived(handle, sender.node(), journalSink.column()))
            .orElse(0);
    try (var journalDelivery =
        new JournalDelivery(database, sender, endedJournal::cursor, journalSink, from)) {
      do {
        boolean more = true;
        while (more) {
          more = send(journalDelivery);
        }
      } while (journalDelivery.next() > from
          // false when the database has lost items that it had: send them again
          && !journalDelivery.reportProgress());
      return !journalDelivery.hasSkipped();
    }
  }

  private static boolean send(JournalDelivery journalDelivery) throws IOException {
    try {
      return journalDelivery.sendNext();
    } catch (StoreUnavailableException e) {
      if (!journalDelivery.handleFailure()) {
        throw e;
      }
      return true;
    }
  }

  private void endNode(EndedJournal endedJournal) {
    String node = endedJournal.node().toString();
    if (endedJournal.complete()) {
      database.inTransaction("free slices", handle -> Nodes.endAndFree(handle, node));
      fold(database, node);
    } else if (database.inTransaction("end a node", handle -> Nodes.markEnded(handle, node))) {
      log.warn(
          "the machine or the disk of node {} failed, so the end of its journal may be missing."
              + " Money that was granted to the node and is not recorded as spent counts as spent"
              + " until you release the node: gateway nodes --release {}",
          node,
          node);
    }
  }

  /**
   * Folds the sums of a node in a bounded number of steps; sums that are not folded are still
   * counted.
   */
  static void fold(Database database, String node) {
    try {
      int steps = 0;
      while (steps < MAX_STEPS && foldStep(database, node) == NodeSpending.MAX_FOLDED) {
        steps++;
      }
    } catch (StoreUnavailableException later) {
      log.debug(
          "the spending of node {} cannot be folded into the totals now; it is still counted",
          node,
          later);
    }
  }

  private static int foldStep(Database database, String node) {
    return database.inTransaction(
        "combine the sums of ended nodes", handle -> NodeSpending.fold(handle, node));
  }
}
