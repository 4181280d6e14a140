package io.strowger.stores.ledger;

import io.strowger.stores.journal.JournalCursor;
import io.strowger.stores.journal.NumberedItem;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Writes one kind of journal items to the database. Each kind is delivered separately, so that
 * money does not wait for records.
 */
interface JournalSink {
  /** Returns the cursor restricted to this kind. */
  JournalCursor select(JournalCursor journal);

  /** Returns the column of {@code ledger_node} with the progress of this kind. */
  String column();

  /**
   * Writes items, in a transaction that also updates the progress of the node. Items of an
   * {@linkplain #isOptional optional} kind may be written early, and again.
   */
  void write(Handle handle, String node, List<NumberedItem> items);

  /** Called when items of this process's own journal are in the database. */
  void delivered(List<NumberedItem> items);

  /** Returns whether an item that the database does not accept may be skipped. */
  boolean isOptional();

  /**
   * Called when an item is skipped for good, because the database accepts other items but not this
   * one.
   */
  void skipped(NumberedItem item);

  /** Records of finished requests that came without a bill, or with prompt and answer. */
  record OfRecords(GenerationRecordSink records) implements JournalSink {
    @Override
    public JournalCursor select(JournalCursor journal) {
      return journal.ofGenerations();
    }

    @Override
    public String column() {
      return "recorded";
    }

    @Override
    public void write(Handle handle, String node, List<NumberedItem> items) {
      records.write(handle, node, items);
    }

    @Override
    public void delivered(List<NumberedItem> items) {
      records.delivered(items, false);
    }

    @Override
    public boolean isOptional() {
      return true;
    }

    @Override
    public void skipped(NumberedItem item) {
      records.skipped(item);
    }
  }
}
