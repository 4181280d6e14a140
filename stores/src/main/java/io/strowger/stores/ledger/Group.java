package io.strowger.stores.ledger;

import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Numbered;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Items of one node's journal on their way into the database: all of them with the note of how far
 * their kind has arrived, or none. What has arrived already is left out, so a group may be sent
 * again when nobody knows what became of it.
 */
record Group(Delivery.Sender sender, List<Numbered> items, Freight freight) {
  /**
   * @throws io.strowger.spi.store.StoreUnavailableException when it is not known to have arrived
   */
  void send(Database database) {
    database.inTransaction(
        "write down what was done",
        handle -> {
          write(handle);
          return true;
        });
  }

  private void write(Handle handle) {
    String node = sender.node();
    long arrived =
        Nodes.arrived(handle, node, freight.column())
            .orElseGet(
                () -> {
                  Nodes.begin(handle, node, sender.boot());
                  return 0;
                });
    List<Numbered> rest = items.stream().filter(item -> item.number() >= arrived).toList();
    if (rest.isEmpty()) {
      return;
    }
    freight.write(handle, node, rest);
    long next = rest.getLast().number() + 1;
    if (!Nodes.advance(handle, node, freight.column(), arrived, next)) {
      throw new IllegalStateException("somebody else has written the same items meanwhile");
    }
  }
}
