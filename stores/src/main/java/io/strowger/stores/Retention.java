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
 * Deletes expired data in small steps, so that other transactions do not wait long. Several nodes
 * may sweep at once; what one node cannot delete is left to another node or to a later sweep.
 */
final class Retention implements AutoCloseable {
  /** The interval of sweeps, which delete up to 5 MB and 1,280 rows of records a second. */
  static final Duration SWEEP_INTERVAL = Duration.ofSeconds(10);

  /**
   * How long the removal of a document is remembered. A node that has not asked for changes for
   * longer reads all documents again.
   */
  static final Duration REMOVAL_RETENTION = Duration.ofDays(1);

  /** How long entries of the audit log are kept: more than a year. */
  static final Duration AUDIT_RETENTION = Duration.ofDays(400);

  static final int STEP_ROWS = 500;

  /** An instant later than any request. */
  private static final Instant LATEST_INSTANT = Instant.parse("9999-01-01T00:00:00Z");

  /**
   * The maximum bytes of records that a step deletes. The embedded database holds the deleted bytes
   * in memory twice until the transaction ends; above this size it would write to its file earlier.
   */
  static final long STEP_BYTES = 256 << 10;

  private static final int MAX_RECORD_ROWS = 64; // of many records each
  private static final int MAX_STEPS = 10;
  private static final int MAX_RECORD_STEPS = 200;
  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  private final Database database;
  private final String node;
  private final Ambient ambient;
  private final Duration recordRetention;
  private final long maxRecordBytes;
  private final PeriodicTask periodicTask;
  private volatile boolean closing;

  /**
   * @param node this node, which has been started
   * @param recordRetention how long records of finished requests are kept
   * @param maxRecordBytes the maximum total size of the records that are kept
   */
  Retention(
      Database database,
      String node,
      Ambient ambient,
      Duration recordRetention,
      long maxRecordBytes) {
    this.node = node;
    this.maxRecordBytes = maxRecordBytes;
    this.database = database;
    this.ambient = ambient;
    this.recordRetention = recordRetention;
    this.periodicTask = new PeriodicTask(ambient, "store-retention", SWEEP_INTERVAL, this::sweep);
  }

  private void sweep() {
    Instant now = ambient.now();
    Instant recordCutoff = now.minus(recordRetention);
    repeat(
        "delete expired records",
        MAX_RECORD_STEPS,
        1,
        handle ->
            JournalBlocks.deleteRecords(handle, node, recordCutoff, MAX_RECORD_ROWS, STEP_BYTES));
    repeat(
        "delete expired records of earlier versions",
        handle -> GenerationRows.deleteBefore(handle, recordCutoff, STEP_ROWS));
    repeat("make room for records", MAX_RECORD_STEPS, 1, this::makeRoom);
    repeat("delete old windows", handle -> Pruning.deleteWindows(handle, now, STEP_ROWS));
    repeat("combine the sums of ended nodes", handle -> Pruning.fold(handle) ? STEP_ROWS : 0);
    Instant auditCutoff = now.minus(AUDIT_RETENTION);
    repeat(
        "delete old audit entries",
        handle -> JdbcAudit.deleteBefore(handle, auditCutoff, STEP_ROWS));
    Instant removalCutoff = now.minus(REMOVAL_RETENTION);
    tryStep(
        "forget removed documents",
        handle -> JdbcDocuments.deleteRemovals(handle, removalCutoff, STEP_ROWS));
    compact();
  }

  /** Deletes the oldest records while there are too many bytes of them. */
  private int makeRoom(Handle handle) {
    long excessBytes = JournalBlocks.totalBytes(handle) - maxRecordBytes;
    return excessBytes <= 0
        ? 0
        : JournalBlocks.deleteRecords(
            handle, node, LATEST_INSTANT, MAX_RECORD_ROWS, Math.min(excessBytes, STEP_BYTES));
  }

  private void repeat(String action, Database.Work<Integer> step) {
    repeat(action, MAX_STEPS, STEP_ROWS, step);
  }

  /**
   * Repeats a step until nothing is left to do or the maximum number of steps is reached.
   *
   * @param fullStep the smallest result of a step after which there may be more to do
   */
  private void repeat(String action, int maxSteps, int fullStep, Database.Work<Integer> step) {
    int steps = 0;
    while (!closing && steps < maxSteps && tryStep(action, step) >= fullStep) {
      steps++;
    }
  }

  private void compact() {
    try {
      int steps = 0;
      while (!closing && steps < MAX_STEPS && database.compact()) {
        steps++;
      }
    } catch (StoreUnavailableException e) {
      log.debug("the database could not be compacted now", e);
    }
  }

  private int tryStep(String action, Database.Work<Integer> step) {
    try {
      return database.inTransaction(action, step);
    } catch (StoreUnavailableException e) {
      log.debug("expired data is kept for now: cannot {}", action, e);
      return 0;
    }
  }

  @Override
  public void close() {
    closing = true; // so that close does not wait for the whole sweep
    periodicTask.close();
  }
}
