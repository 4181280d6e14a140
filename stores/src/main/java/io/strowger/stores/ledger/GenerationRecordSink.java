package io.strowger.stores.ledger;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.stores.journal.JournalPosition;
import io.strowger.stores.journal.NumberedItem;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Receives the records of finished requests from the journal. */
public interface GenerationRecordSink {
  /**
   * Called when a record was written to the journal.
   *
   * @param withLines whether the record is in one item with ledger lines
   */
  void appended(Generation record, JournalPosition position, boolean withLines);

  /**
   * Writes the records of items without ledger lines; they may have been written before.
   *
   * @param handle a handle in a transaction
   */
  void write(Handle handle, String node, List<NumberedItem> items);

  /**
   * Called when items of this process's own journal are in the database.
   *
   * @param withLines true for ledger lines with the records that came with them, false for records
   *     without lines
   */
  void delivered(List<NumberedItem> items, boolean withLines);

  /**
   * Called when an item is skipped for good, because the database accepts other items but not this
   * one.
   */
  void skipped(NumberedItem item);
}
