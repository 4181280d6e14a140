package io.strowger.stores.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Cursor;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.journal.Numbered;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings what the journal holds into the database, in groups. While the database cannot be reached
 * the journal holds more; groups become smaller when they fail, since one may be too much for the
 * time there is. For one thread at a time.
 */
final class Flush {
  private static final int MOST_ITEMS = 512;
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);

  private final Database database;
  private final Journal journal;
  private final Ambient ambient;
  private final Records records;
  private final Cursor cursor;
  private final Troubles troubles =
      new Troubles("what was spent cannot be brought into the database and waits in the journal");
  private List<Numbered> waiting = new ArrayList<>();
  private int most = MOST_ITEMS;
  private long seen; // on the ambient's nanosecond clock

  Flush(Database database, Journal journal, Ambient ambient, Records records) {
    this.database = database;
    this.journal = journal;
    this.ambient = ambient;
    this.records = records;
    this.cursor = journal.cursor();
    this.seen = ambient.nanoTime();
  }

  /**
   * Sends everything there is.
   *
   * @return whether all of it has arrived
   */
  boolean run() {
    try {
      while (sendNext()) {
        troubles.worked();
      }
      tellOfLife();
      troubles.worked();
      return true;
    } catch (StoreUnavailableException | IOException e) {
      most = Math.max(1, most / 2);
      troubles.failed(e);
      return false;
    }
  }

  private boolean sendNext() throws IOException {
    if (waiting.isEmpty()) {
      waiting = cursor.read(MOST_ITEMS);
    }
    if (waiting.isEmpty()) {
      return false;
    }
    List<Numbered> now = waiting.subList(0, Math.min(most, waiting.size()));
    var group = new Group(journal.node().toString(), journal.boot(), now, records);
    group.send(database);
    records.arrived(now);
    long next = now.getLast().number() + 1;
    waiting = new ArrayList<>(waiting.subList(now.size(), waiting.size()));
    most = Math.min(MOST_ITEMS, most * 2);
    seen = ambient.nanoTime();
    journal.discard(next, database::force);
    return true;
  }

  private void tellOfLife() {
    long now = ambient.nanoTime();
    if (now - seen >= SIGN_OF_LIFE.toNanos()) {
      String node = journal.node().toString();
      database.inTransaction("say that this node is alive", handle -> Nodes.seen(handle, node));
      seen = now;
    }
  }
}
