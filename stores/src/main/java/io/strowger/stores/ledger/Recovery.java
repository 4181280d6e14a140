package io.strowger.stores.ledger;

import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.journal.Past;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings into the database what earlier processes wrote down in the same data directory, and frees
 * their slices when it is certain that nothing is missing. Money comes first; records that the
 * database does not take now wait for the next start.
 */
record Recovery(Database database, Freight lines, Freight records) {
  private static final Logger log = LoggerFactory.getLogger(Recovery.class);
  private static final int MOST_STEPS = 20;

  /**
   * @throws StoreUnavailableException when the database cannot be reached
   * @throws IOException when a journal cannot be read
   */
  void run(Journal journal) throws IOException {
    for (Past past : journal.past()) {
      bring(past, lines);
      end(past);
    }
    for (Past past : journal.past()) {
      try {
        boolean all = bring(past, records);
        if (all && past.complete()) {
          String node = past.node().toString();
          database.inTransaction("see a node off", handle -> Nodes.delivered(handle, node));
        }
        journal.discard(past, database::force);
      } catch (StoreUnavailableException later) {
        log.warn(
            "records of node {} could not be written to the database; they stay in its journal"
                + " until the next start",
            past.node(),
            later);
      }
    }
  }

  /** Returns whether nothing was given up. */
  private boolean bring(Past past, Freight freight) throws IOException {
    var sender = new Delivery.Sender(past.node().toString(), past.boot(), false);
    long from =
        database
            .ask(
                "see what has arrived",
                handle -> Nodes.arrived(handle, sender.node(), freight.column()))
            .orElse(0);
    try (var delivery = new Delivery(database, sender, past::cursor, freight, from)) {
      do {
        boolean more = true;
        while (more) {
          more = send(delivery);
        }
      } while (delivery.next() > from && !delivery.tell()); // the next start need not look again
      return !delivery.hasLost();
    }
  }

  private static boolean send(Delivery delivery) throws IOException {
    try {
      return delivery.sendNext();
    } catch (StoreUnavailableException e) {
      if (!delivery.failed()) {
        throw e;
      }
      return true;
    }
  }

  private void end(Past past) {
    String node = past.node().toString();
    if (past.complete()) {
      database.inTransaction("free slices", handle -> Nodes.free(handle, node));
      fold(database, node);
    } else if (database.inTransaction("end a node", handle -> Nodes.end(handle, node))) {
      log.warn(
          "node {} ended with its machine: the part of its last grants that it did not record as"
              + " spent counts as spent until an operator releases the node: gateway nodes"
              + " --release NODE",
          node);
    }
  }

  /** Tidies up, within reason; what is not tidied up counts all the same. */
  static void fold(Database database, String node) {
    try {
      int steps = 0;
      while (steps < MOST_STEPS && foldSome(database, node) == Spent.FEW) {
        steps++;
      }
    } catch (StoreUnavailableException later) {
      log.debug("what node {} spent stays under its own name", node, later);
    }
  }

  private static int foldSome(Database database, String node) {
    return database.inTransaction("tidy up the books", handle -> Spent.fold(handle, node));
  }
}
