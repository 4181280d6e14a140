package io.strowger.stores;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.PeriodicTask;
import io.strowger.stores.documents.JdbcAudit;
import io.strowger.stores.documents.JdbcDocuments;
import io.strowger.stores.generations.GenerationRows;
import io.strowger.stores.ledger.JournalBlocks;
import io.strowger.stores.ledger.Pruning;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes expired data in small steps, so that other transactions do not wait for it. Several nodes
 * may do so at once; what one cannot delete is left to another or to a later sweep.
 */
final class Retention implements AutoCloseable {
  /** The interval of sweeps, which delete up to 5 MB and 1,280 rows of records a second. */
  static final Duration EVERY = Duration.ofSeconds(10);

  /**
   * How long records of removed documents are kept; a node that has not asked for changes for
   * longer reads all documents again.
   */
  static final Duration REMOVALS = Duration.ofDays(1);

  /** How long entries of the audit log are kept: more than a year. */
  static final Duration AUDIT = Duration.ofDays(400);

  static final int STEP = 500;

  /** An instant later than any request. */
  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

  /**
   * The maximum bytes of records that a step deletes. The embedded database holds them twice until
   * the transaction ends, and with more of them it writes to its file before that.
   */
  static final long STEP_BYTES = 256 << 10;

  private static final int RECORD_ROWS = 64; // of many records each
  private static final int MAX_STEPS = 10;
  private static final int MAX_RECORD_STEPS = 200;
  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  private final Database database;
  private final String node;
  private final Ambient ambient;
  private final Duration records;
  private final long recordBytes;
  private final PeriodicTask periodicTask;
  private volatile boolean closing;

  /**
   * @param node this node, which has been started
   * @param records how long records of finished requests are kept
   * @param recordBytes the most bytes of records that are kept
   */
  Retention(Database database, String node, Ambient ambient, Duration records, long recordBytes) {
    this.node = node;
    this.recordBytes = recordBytes;
    this.database = database;
    this.ambient = ambient;
    this.records = records;
    this.periodicTask = new PeriodicTask(ambient, "store-retention", EVERY, this::sweep);
  }

  private void sweep() {
    Instant now = ambient.now();
    Instant old = now.minus(records);
    again(
        "forget records",
        MAX_RECORD_STEPS,
        1,
        handle -> JournalBlocks.forget(handle, node, old, RECORD_ROWS, STEP_BYTES));
    again("forget records of before", handle -> GenerationRows.forget(handle, old, STEP));
    again("make room for records", MAX_RECORD_STEPS, 1, this::makeRoom);
    again("forget windows", handle -> Pruning.forgetWindows(handle, now, STEP));
    again("tidy up the books", handle -> Pruning.fold(handle) ? STEP : 0);
    Instant audited = now.minus(AUDIT);
    again("forget audit entries", handle -> JdbcAudit.forget(handle, audited, STEP));
    Instant heard = now.minus(REMOVALS);
    tried("forget removals", handle -> JdbcDocuments.forgetRemovals(handle, heard, STEP));
    makeSmaller();
  }

  /** Deletes the oldest records while there are too many bytes of them. */
  private int makeRoom(Handle handle) {
    long over = JournalBlocks.bytes(handle) - recordBytes;
    return over <= 0
        ? 0
        : JournalBlocks.forget(handle, node, LATEST, RECORD_ROWS, Math.min(over, STEP_BYTES));
  }

  private void again(String what, Database.Work<Integer> step) {
    again(what, MAX_STEPS, STEP, step);
  }

  /**
   * Repeats a step until nothing is left to do or the maximum number of steps is reached.
   *
   * @param full the smallest result of a step after which there may be more to do
   */
  private void again(String what, int most, int full, Database.Work<Integer> step) {
    int steps = 0;
    while (!closing && steps < most && tried(what, step) >= full) {
      steps++;
    }
  }

  private void makeSmaller() {
    try {
      int steps = 0;
      while (!closing && steps < MAX_STEPS && database.makeSmaller()) {
        steps++;
      }
    } catch (StoreUnavailableException e) {
      log.debug("the database could not be compacted now", e);
    }
  }

  private int tried(String what, Database.Work<Integer> step) {
    try {
      return database.inTransaction(what, step);
    } catch (StoreUnavailableException e) {
      log.debug("expired data is kept for now: cannot {}", what, e);
      return 0;
    }
  }

  @Override
  public void close() {
    closing = true; // so that close does not wait for the whole sweep
    periodicTask.close();
  }
}
