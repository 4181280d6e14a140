package io.strowger.stores.ledger;

import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Numbered;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Items of one node's journal on their way into the database: all of them with the note of how far
 * the journal has arrived, or none. What has arrived already is left out, so a group may be sent
 * again when nobody knows what became of it.
 *
 * @param boot of the node, for a database that does not know it
 * @param records where records of requests go
 */
record Group(String node, String boot, List<Numbered> items, Records records) {
  /**
   * @throws io.strowger.spi.store.StoreUnavailableException when it is not known to have arrived
   */
  void send(Database database) {
    database.inTransaction(
        "write down what was spent",
        handle -> {
          write(handle);
          return true;
        });
  }

  private void write(Handle handle) {
    long first = items.getFirst().number();
    long flushed =
        Nodes.flushed(handle, node)
            .orElseGet(
                () -> {
                  Nodes.begin(handle, node, boot, first);
                  return first;
                });
    List<Numbered> rest = items.stream().filter(item -> item.number() >= flushed).toList();
    if (rest.isEmpty()) {
      return;
    }
    Lines.write(handle, node, rest);
    records.write(handle, rest);
    long next = rest.getLast().number() + 1;
    if (!Nodes.advance(handle, node, flushed, next)) {
      throw new IllegalStateException("somebody else has written the same lines meanwhile");
    }
  }
}
