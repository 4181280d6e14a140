package io.strowger.stores.ledger;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.stores.journal.JournalPosition;
import io.strowger.stores.journal.NumberedItem;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Where records of finished requests go that came by the journal. */
public interface GenerationRecordSink {
  /**
   * One was written down.
   *
   * @param withLines in one item with lines of the books
   */
  void underWay(Generation record, JournalPosition position, boolean withLines);

  /**
   * Writes those that were written down by themselves, which may have been written before.
   *
   * @param handle in a transaction
   */
  void write(Handle handle, String node, List<NumberedItem> items);

  /**
   * Items of this process's own journal are in the database.
   *
   * @param withLines whether these are lines, with the records that came with them, or records
   */
  void arrived(List<NumberedItem> items, boolean withLines);

  /** The database takes others and not this one, and nobody tries any more. */
  void lost(NumberedItem item);
}
