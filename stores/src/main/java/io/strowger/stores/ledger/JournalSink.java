package io.strowger.stores.ledger;

import io.strowger.stores.journal.JournalCursor;
import io.strowger.stores.journal.NumberedItem;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * One kind of what a journal holds, on its way into the database. Each kind goes its own way, so
 * that money does not wait for records.
 */
interface JournalSink {
  /** Reads these only. */
  JournalCursor select(JournalCursor journal);

  /** The column of {@code ledger_node} that says how far it has arrived. */
  String column();

  /**
   * Call in a transaction that also says up to where the node's journal has arrived. What is
   * {@linkplain #isOptional optional} may be written early, and again.
   */
  void write(Handle handle, String node, List<NumberedItem> items);

  /** Items of this process's own journal are in the database. */
  void arrived(List<NumberedItem> items);

  /** Whether the rest goes on without an item that the database does not take. */
  boolean isOptional();

  /** The database takes others and not this one, which is left behind. */
  void lost(NumberedItem item);

  /** Records of finished requests that came without a bill, or with what was said. */
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
    public void arrived(List<NumberedItem> items) {
      records.arrived(items, false);
    }

    @Override
    public boolean isOptional() {
      return true;
    }

    @Override
    public void lost(NumberedItem item) {
      records.lost(item);
    }
  }
}
