package io.strowger.stores.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Journal;
import java.io.IOException;
import java.time.Duration;

/**
 * Brings one kind of what this node's journal holds into the database, as it grows. While the
 * database cannot be reached the journal holds more. For one thread at a time, but for {@link
 * #next}.
 */
final class Flush {
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);

  private final Database database;
  private final Ambient ambient;
  private final String node;
  private final String column;
  private final Delivery delivery;
  private final Troubles troubles;
  private long seen; // on the ambient's nanosecond clock

  /**
   * @param what it brings, for the log
   */
  Flush(Database database, Journal journal, Ambient ambient, Freight freight, String what) {
    this.database = database;
    this.ambient = ambient;
    this.node = journal.node().toString();
    var sender = new Delivery.Sender(node, journal.boot(), true);
    this.column = freight.column();
    this.delivery = new Delivery(database, sender, journal.cursor(), freight);
    this.troubles =
        new Troubles(what + " cannot be brought into the database and waits in the journal");
    this.seen = ambient.nanoTime();
  }

  /** {@link Delivery#next}. */
  long next() {
    return delivery.next();
  }

  /**
   * Sends everything there is.
   *
   * @return whether all of it has arrived
   */
  boolean run() {
    try {
      while (delivery.sendNext()) {
        seen = ambient.nanoTime();
        troubles.worked();
      }
      tellOfLife();
      troubles.worked();
      return true;
    } catch (StoreUnavailableException | IOException e) {
      delivery.failed();
      troubles.failed(e);
      return false;
    }
  }

  private void tellOfLife() {
    long now = ambient.nanoTime();
    if (now - seen >= SIGN_OF_LIFE.toNanos()) {
      tell();
      seen = now;
    }
  }

  /** Says that this node is alive, and how far it has looked: the next start begins there. */
  void tell() {
    long next = delivery.next();
    database.inTransaction(
        "say that this node is alive",
        handle -> Nodes.seen(handle, node) && Nodes.arrived(handle, node, column, next));
  }
}
