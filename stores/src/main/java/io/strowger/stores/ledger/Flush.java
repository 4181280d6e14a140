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

  private final Ambient ambient;
  private final Delivery delivery;
  private final Troubles troubles;
  private long seen; // on the ambient's nanosecond clock

  /**
   * @param what it brings, for the log
   */
  Flush(Database database, Journal journal, Ambient ambient, Freight freight, String what) {
    this.ambient = ambient;
    var sender = new Delivery.Sender(journal.node().toString(), journal.boot(), true);
    this.delivery = new Delivery(database, sender, journal::cursor, freight, 0);
    this.troubles =
        new Troubles(what + " cannot be written to the database and is kept in the journal");
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
      boolean all = tellOfLife();
      troubles.worked();
      return all;
    } catch (StoreUnavailableException | IOException e) {
      delivery.failed();
      troubles.failed(e);
      return false;
    }
  }

  private boolean tellOfLife() throws IOException {
    long now = ambient.nanoTime();
    boolean all = true;
    if (now - seen >= SIGN_OF_LIFE.toNanos()) {
      all = tell();
      seen = now;
    }
    return all;
  }

  /** {@link Delivery#hasLost}. */
  boolean hasLost() {
    return delivery.hasLost();
  }

  /** Says that this node is alive, and {@link Delivery#tell how far it has looked}. */
  boolean tell() throws IOException {
    return delivery.tell();
  }
}
