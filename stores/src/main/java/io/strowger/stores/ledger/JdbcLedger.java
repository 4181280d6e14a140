package io.strowger.stores.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.PeriodicTask;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.journal.JournalItem;
import io.strowger.stores.journal.JournalPosition;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of a node in a database, behind a journal of its own. Lines are in the journal when
 * {@link #append} returns, forced to the disk within a tenth of a second, and in the database soon
 * after; while the database cannot be reached, they wait in the journal.
 *
 * <p>A process that is killed loses nothing: the next one in its data directory reads its journal
 * and frees its slices. A machine that loses power may lose the lines of the last tenth of a
 * second. Therefore the unspent part of its node's slices is treated as spent until an operator
 * {@linkplain #release releases} the node; the same holds for a node whose data directory is gone.
 */
public final class JdbcLedger implements LedgerStore, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JdbcLedger.class);
  private static final Duration FORCE_INTERVAL = Duration.ofMillis(50);

  /**
   * The interval in which items are written to the database, so that many items share the cost of a
   * transaction.
   */
  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(100);

  private final Database database;
  private final Journal journal;
  private final Ambient ambient;
  private final String node;
  private final GenerationRecordSink recordSink;
  private final SliceGrants sliceGrants;
  private final JournalFlusher lineFlusher;
  private final JournalFlusher recordFlusher;
  private final AtomicLong sliceRequestCounter = new AtomicLong();
  private final RepeatedFailureLog forceLog =
      new RepeatedFailureLog("the journal cannot be forced to disk");
  private final RepeatedFailureLog discardLog =
      new RepeatedFailureLog("files of the journal that are not needed cannot be deleted");
  private final PeriodicTask forceTask;
  private final PeriodicTask flushTask;
  private final PeriodicTask recordTask;

  private JdbcLedger(
      Database database,
      Journal journal,
      Ambient ambient,
      JournalSink lines,
      GenerationRecordSink recordSink,
      JournalSink records) {
    this.database = database;
    this.recordSink = recordSink;
    this.journal = journal;
    this.ambient = ambient;
    this.node = journal.node().toString();
    this.sliceGrants = new SliceGrants(node);
    this.lineFlusher = new JournalFlusher(database, journal, ambient, lines, "ledger lines");
    this.recordFlusher =
        new JournalFlusher(database, journal, ambient, records, "records of requests");
    this.forceTask =
        new PeriodicTask(ambient, "strowger-journal-force", FORCE_INTERVAL, this::force);
    this.flushTask =
        new PeriodicTask(ambient, "strowger-journal-flush", FLUSH_INTERVAL, this::flushLines);
    this.recordTask =
        new PeriodicTask(
            ambient, "strowger-journal-record", FLUSH_INTERVAL, this.recordFlusher::run);
  }

  /**
   * Opens the ledger of this node, once the journals of earlier processes in the data directory are
   * in the database.
   *
   * @param journal the journal of this node; closed by the caller, after the ledger
   * @throws IOException with a message for the operator, when an earlier journal cannot be read
   * @throws StoreUnavailableException when the database cannot be reached
   */
  public static JdbcLedger open(
      Database database,
      Journal journal,
      Ambient ambient,
      GenerationRecordSink generationRecordSink)
      throws IOException {
    return open(
        database, journal, ambient, new PostingWriter(generationRecordSink), generationRecordSink);
  }

  static JdbcLedger open(
      Database database,
      Journal journal,
      Ambient ambient,
      JournalSink lines,
      GenerationRecordSink recordSink)
      throws IOException {
    var records = new JournalSink.OfRecords(recordSink);
    new Recovery(database, lines, records).run(journal);
    String node = journal.node().toString();
    database.inTransaction("register a node", handle -> Nodes.insert(handle, node, journal.boot()));
    return new JdbcLedger(database, journal, ambient, lines, recordSink, records);
  }

  private void force() {
    try {
      journal.force();
      forceLog.succeeded();
    } catch (IOException e) {
      forceLog.failed(e);
    }
  }

  private void flushLines() {
    lineFlusher.run();
    try {
      journal.discard(Math.min(lineFlusher.next(), recordFlusher.next()), database::force);
      discardLog.succeeded();
    } catch (IOException | StoreUnavailableException later) {
      discardLog.failed(later);
    }
  }

  /** Delivers all items and returns whether they arrived; the periodic tasks do the same. */
  boolean flush() {
    boolean linesDelivered = lineFlusher.run();
    return recordFlusher.run() && linesDelivered;
  }

  @Override
  public Slice requestSlice(SliceRequest request) {
    long requestNumber = sliceRequestCounter.incrementAndGet();
    // durable, since what may be spent from now on must not be forgotten
    return database.inLastingTransaction(
        "ask for a slice", handle -> sliceGrants.grant(handle, request, requestNumber));
  }

  @Override
  public void returnUnused(Posting.Account account, boolean includeByok, Usd retained) {
    long requestNumber = sliceRequestCounter.incrementAndGet();
    database.inTransaction(
        "give a slice back",
        handle -> sliceGrants.giveBack(handle, account, includeByok, retained, requestNumber));
  }

  @Override
  public void append(Posting posting) {
    Generation record = posting.record();
    if (record == null) {
      journal.append(new JournalItem.Lines(posting));
    } else if (record.content() == null) {
      notifyAppended(record, journal.append(new JournalItem.Lines(posting)), true);
    } else { // content may be large, and money does not wait for it
      var lines = new JournalItem.Lines(new Posting(posting.entries(), posting.accounts()));
      notifyAppended(record, journal.append(lines, new JournalItem.Generation(record)), false);
    }
  }

  /** Logs a failure instead of throwing it, or the caller would append the lines again. */
  private void notifyAppended(Generation record, JournalPosition position, boolean withLines) {
    try {
      recordSink.appended(record, position, withLines);
    } catch (RuntimeException | Error e) {
      log.warn("the record of {} cannot be looked up until it reaches the database", record, e);
    }
  }

  @Override
  public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
      Collection<Posting.Account> accounts) {
    return database.query(
        "learn what was spent", handle -> NodeSpending.ofOthers(handle, node, accounts));
  }

  @Override
  public List<LostNode> lostNodes() {
    return database.query(
        "list nodes that are gone", handle -> Nodes.lostNodes(handle, node, ambient.now()));
  }

  @Override
  public boolean release(String nodeId) {
    return database.inTransaction("release a node", handle -> Nodes.release(handle, nodeId, node));
  }

  /**
   * Writes everything to the database and returns the slices. What cannot be written now is
   * delivered by the next process in this data directory.
   */
  @Override
  public void close() {
    stop();
    boolean linesDelivered = lineFlusher.run();
    boolean recordsDelivered =
        recordFlusher.run() && !recordFlusher.hasSkipped(); // the next process delivers the rest
    try {
      journal.end();
    } catch (IOException | StoreUnavailableException e) {
      logIncompleteEnd(e);
      return;
    }
    if (linesDelivered) {
      endNode(recordsDelivered);
    }
    reportProgress();
  }

  /** Stops all tasks and leaves everything as it is, like a process that is killed. */
  void stop() {
    flushTask.close();
    recordTask.close();
    forceTask.close();
  }

  /** Reports the progress; nothing is lost when that fails: the next start checks everything. */
  private void reportProgress() {
    try {
      lineFlusher.reportProgress();
      recordFlusher.reportProgress();
    } catch (StoreUnavailableException | IOException e) {
      logIncompleteEnd(e);
    }
  }

  private void endNode(boolean recordsDelivered) {
    try {
      database.inTransaction(
          "free slices",
          handle ->
              Nodes.endAndFree(handle, node)
                  && recordsDelivered
                  && Nodes.markDelivered(handle, node));
      Recovery.fold(database, node);
    } catch (StoreUnavailableException e) {
      logIncompleteEnd(e);
    }
  }

  private static void logIncompleteEnd(Exception failure) {
    log.warn(
        "the ledger was not closed completely; the next start in this data directory does the rest",
        failure);
  }
}
