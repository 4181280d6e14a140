package io.strowger.stores;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Beat;
import io.strowger.stores.database.Database;
import io.strowger.stores.documents.JdbcDocuments;
import io.strowger.stores.generations.GenerationRows;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes away what is too old to be kept, a little at a time so that nobody waits for it. Several
 * nodes may do so at once; what one cannot do another does, or a later time.
 */
final class Retention implements AutoCloseable {
  /**
   * A sweep takes away what a node can finish between two of them, at some 500 records a second.
   */
  static final Duration EVERY = Duration.ofSeconds(10);

  /** Nodes ask for changes several times a second; one that slept for a day reads everything. */
  static final Duration REMOVALS = Duration.ofDays(1);

  static final int STEP = 500;
  private static final int MOST_STEPS = 10;
  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  private final Database database;
  private final Ambient ambient;
  private final Duration records;
  private final Beat beat;

  /**
   * @param records how long records of finished requests are kept
   */
  Retention(Database database, Ambient ambient, Duration records) {
    this.database = database;
    this.ambient = ambient;
    this.records = records;
    this.beat = new Beat(ambient, "store-retention", EVERY, this::sweep);
  }

  private void sweep() {
    Instant now = ambient.now();
    try {
      int steps = 0;
      while (steps < MOST_STEPS && forget(now.minus(records)) == STEP) {
        steps++;
      }
      database.inTransaction(
          "forget removals",
          handle -> JdbcDocuments.forgetRemovals(handle, now.minus(REMOVALS), STEP));
    } catch (StoreUnavailableException e) {
      log.debug("old records stay for now", e);
    }
  }

  private int forget(Instant before) {
    return database.inTransaction(
        "forget records", handle -> GenerationRows.forget(handle, before, STEP));
  }

  @Override
  public void close() {
    beat.close();
  }
}
