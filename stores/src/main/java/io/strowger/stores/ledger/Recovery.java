package io.strowger.stores.ledger;

import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Cursor;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.journal.Numbered;
import io.strowger.stores.journal.Past;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings into the database what earlier processes wrote down in the same data directory, and frees
 * their slices when it is certain that nothing is missing.
 */
record Recovery(Database database, Records records) {
  private static final Logger log = LoggerFactory.getLogger(Recovery.class);
  private static final int MOST_ITEMS = 256;
  private static final int MOST_STEPS = 20;

  /**
   * @throws StoreUnavailableException when the database cannot be reached
   * @throws IOException when a journal cannot be read
   */
  void run(Journal journal) throws IOException {
    for (Past past : journal.past()) {
      recover(past);
      journal.discard(past, database::force);
    }
  }

  private void recover(Past past) throws IOException {
    String node = past.node().toString();
    try (Cursor cursor = past.cursor()) {
      List<Numbered> items = cursor.read(MOST_ITEMS);
      while (!items.isEmpty()) {
        new Group(node, past.boot(), items, records).send(database);
        items = cursor.read(MOST_ITEMS);
      }
    }
    if (past.complete()) {
      database.inTransaction("free slices", handle -> Nodes.free(handle, node));
      fold(database, node);
    } else if (database.inTransaction("end a node", handle -> Nodes.end(handle, node))) {
      log.warn(
          "node {} ended with the machine it ran on: what it was granted last and did not write"
              + " down counts as spent until an operator releases it (gateway nodes)",
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
