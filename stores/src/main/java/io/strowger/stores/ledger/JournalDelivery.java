package io.strowger.stores.ledger;

import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.JournalCursor;
import io.strowger.stores.journal.NumberedItem;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one kind of a journal's items to the database, in groups. A group becomes smaller when it
 * fails, since it may be too much for the time limit. When the database has fewer items than
 * before, as after a standby server took over, the missing ones are written again. For one thread
 * at a time, except {@link #next}, which is safe on any thread.
 */
final class JournalDelivery implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(JournalDelivery.class);
  private static final int MAX_ITEMS = 2048;

  /** How many times an item must fail alone before it is treated as the cause and skipped. */
  private static final int MAX_TRIES = 5;

  /**
   * The maximum number of failures in a row; more than are needed to find an item that causes the
   * failures.
   */
  private static final int MAX_FAILURES = 10;

  private final Database database;
  private final Sender sender;
  private final LongFunction<JournalCursor> journal;
  private final JournalSink journalSink;
  private JournalCursor journalCursor;
  private long committed; // how far the kind had arrived, as last read from the database
  private List<NumberedItem> pending = List.of();
  private int groupSize = MAX_ITEMS;
  private int failures; // in a row
  private int singleFailures; // of these, with a single item, while another was accepted
  private boolean hasSkipped;
  private volatile long next;

  /**
   * The node whose journal is delivered.
   *
   * @param boot the boot id, for a database that does not know the node
   * @param self whether it is this process's own journal
   */
  record Sender(String node, String boot, boolean self) {}

  /**
   * @param journal opens a cursor by the number of the first item to read
   * @param committed the number of the first item that has not arrived, as recorded in the
   *     database; sending begins there
   */
  JournalDelivery(
      Database database,
      Sender sender,
      LongFunction<JournalCursor> journal,
      JournalSink journalSink,
      long committed) {
    this.database = database;
    this.sender = sender;
    this.journal = journal;
    this.journalSink = journalSink;
    this.journalCursor = journalSink.select(journal.apply(committed));
    this.committed = committed;
  }

  /**
   * Returns the number of the item before which all items of the kind are in the database or were
   * skipped.
   */
  long next() {
    return next;
  }

  /**
   * Sends a group.
   *
   * @return false when there are no more items for now
   * @throws StoreUnavailableException when it is not known whether the group has arrived; the next
   *     call sends it again
   */
  boolean sendNext() throws IOException {
    if (pending.isEmpty() && !read()) {
      return false;
    }
    List<NumberedItem> group = pending.subList(0, Math.min(groupSize, pending.size()));
    long delivered = new ItemGroup(sender, group, journalSink, committed).send(database);
    if (delivered < committed) {
      restartFrom(delivered);
      return true;
    }
    committed = delivered;
    if (sender.self()) {
      journalSink.delivered(group);
    }
    removeFirst(group.size());
    groupSize = Math.min(MAX_ITEMS, groupSize * 2);
    return true;
  }

  private void restartFrom(long delivered) throws IOException {
    log.warn(
        "the database lost items of node {}: it had those before item {} ({}) and now has those"
            + " before item {}; the items that are still in the journal are written again",
        sender.node(),
        committed,
        journalSink.column(),
        delivered);
    JournalCursor oldCursor = journalCursor;
    journalCursor = journalSink.select(journal.apply(delivered));
    committed = delivered;
    pending = List.of();
    next = delivered;
    failures = 0;
    singleFailures = 0;
    oldCursor.close();
  }

  /**
   * Records in the database how far the journal was read, so that the next start begins there.
   *
   * @return false when the database has fewer items than before, so that the missing items are sent
   *     again
   * @throws StoreUnavailableException when it is not known whether the report has arrived
   */
  boolean reportProgress() throws IOException {
    String node = sender.node();
    String column = journalSink.column();
    long reached = next;
    long lastCommitted = committed;
    long stored =
        database.inTransaction(
            "record how far a journal has arrived",
            handle -> {
              if (sender.self()) {
                Nodes.recordHeartbeat(handle, node);
              }
              return Nodes.recordArrived(handle, node, column, lastCommitted, reached)
                  ? Math.max(lastCommitted, reached)
                  : Nodes.arrived(handle, node, column).orElse(0);
            });
    if (stored < lastCommitted) {
      restartFrom(stored);
      return false;
    }
    committed = stored;
    return true;
  }

  private void readMore() throws IOException {
    List<NumberedItem> more = journalCursor.read(MAX_ITEMS);
    pending = Stream.concat(pending.stream(), more.stream()).toList();
  }

  private boolean read() throws IOException {
    long before;
    do {
      before = journalCursor.next();
      pending = journalCursor.read(MAX_ITEMS);
    } while (pending.isEmpty() && journalCursor.next() != before);
    if (pending.isEmpty() && before > next) {
      next = before;
    }
    return !pending.isEmpty();
  }

  private void removeFirst(int items) {
    next = pending.get(items - 1).number() + 1;
    pending = List.copyOf(pending.subList(items, pending.size()));
    failures = 0;
    singleFailures = 0;
  }

  /**
   * Handles the failure of the last group: the next group is smaller.
   *
   * @return whether another attempt may succeed
   */
  boolean handleFailure() {
    failures++;
    if (groupSize > 1) {
      groupSize = Math.max(1, groupSize / 4);
    } else if (!pending.isEmpty() && journalSink.isOptional()) {
      handleSingleFailure();
    }
    return failures < MAX_FAILURES;
  }

  /** Skips the item if the database accepted other items often enough while this one failed. */
  private void handleSingleFailure() {
    singleFailures += acceptsAnother() ? 1 : 0;
    if (singleFailures >= MAX_TRIES) {
      journalSink.skipped(pending.getFirst());
      hasSkipped = true;
      removeFirst(1);
    }
  }

  /** Returns whether an item was skipped. */
  boolean hasSkipped() {
    return hasSkipped;
  }

  /**
   * Returns whether the database accepts another item, which is sent early and again in its turn.
   * With a full disk, for example, it accepts none.
   */
  private boolean acceptsAnother() {
    try {
      if (pending.size() < MAX_ITEMS) {
        readMore();
      }
      int otherItems = pending.size() - 1;
      return otherItems > 0
          && accepts(pending.get(1 + failures % otherItems)); // the next item may fail as well
    } catch (StoreUnavailableException | IOException failure) {
      return false;
    }
  }

  private boolean accepts(NumberedItem other) {
    return database.inTransaction(
        "test whether the database accepts another item",
        handle -> {
          journalSink.write(handle, sender.node(), List.of(other));
          return Nodes.recordHeartbeat(handle, sender.node());
        });
  }

  @Override
  public void close() throws IOException {
    journalCursor.close();
  }

  /**
   * Items of one node's journal that are written to the database together with the progress of
   * their kind, all or none. Items that have already arrived are left out, so a group may be sent
   * again when its outcome is not known.
   *
   * @param committed how far the kind had arrived, as last seen committed
   */
  private record ItemGroup(
      Sender sender, List<NumberedItem> items, JournalSink sink, long committed) {
    /**
     * Writes the items that have not arrived.
     *
     * @return how far the kind has arrived. If that is less than {@code committed}, the database is
     *     in an older state, and nothing was written, since that would hide what is missing
     * @throws io.strowger.spi.store.StoreUnavailableException when it is not known whether the
     *     group has arrived
     */
    long send(Database database) {
      return database.inTransaction("write journal items", this::write);
    }

    private long write(Handle handle) {
      String node = sender.node();
      long delivered =
          Nodes.arrived(handle, node, sink.column())
              .orElseGet(
                  () -> {
                    Nodes.insert(handle, node, sender.boot());
                    return 0;
                  });
      if (delivered < committed) {
        return delivered;
      }
      List<NumberedItem> missing =
          items.stream().filter(item -> item.number() >= delivered).toList();
      if (missing.isEmpty()) {
        return delivered;
      }
      sink.write(handle, node, missing);
      long next = missing.getLast().number() + 1;
      if (!Nodes.advance(handle, node, sink.column(), delivered, next)) {
        throw new IllegalStateException("another transaction has written the same items");
      }
      return next;
    }
  }
}
