package io.strowger.stores.ledger;

import io.strowger.stores.database.Database;
import io.strowger.stores.journal.NumberedItem;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Items of one node's journal on their way into the database: all of them with the note of how far
 * their kind has arrived, or none. What has arrived already is left out, so a group may be sent
 * again when nobody knows what became of it.
 *
 * @param committed how far the kind had arrived, by what was seen committed
 */
record JournalItemGroup(
    JournalDelivery.Sender sender, List<NumberedItem> items, JournalSink sink, long committed) {
  /**
   * @return how far the kind has arrived. Where that is less than was committed before, the
   *     database is an older state of it, and nothing was written: it would hide what is missing
   * @throws io.strowger.spi.store.StoreUnavailableException when it is not known to have arrived
   */
  long send(Database database) {
    return database.inTransaction("write down what was done", this::write);
  }

  private long write(Handle handle) {
    String node = sender.node();
    long arrived =
        Nodes.arrived(handle, node, sink.column())
            .orElseGet(
                () -> {
                  Nodes.begin(handle, node, sender.boot());
                  return 0;
                });
    if (arrived < committed) {
      return arrived;
    }
    List<NumberedItem> rest = items.stream().filter(item -> item.number() >= arrived).toList();
    if (rest.isEmpty()) {
      return arrived;
    }
    sink.write(handle, node, rest);
    long next = rest.getLast().number() + 1;
    if (!Nodes.advance(handle, node, sink.column(), arrived, next)) {
      throw new IllegalStateException("another transaction has written the same items");
    }
    return next;
  }
}
