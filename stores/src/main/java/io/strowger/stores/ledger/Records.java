package io.strowger.stores.ledger;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.stores.journal.Numbered;
import io.strowger.stores.journal.Place;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Where records of finished requests go that came by the journal. */
public interface Records {
  /** One was written down, with lines or by itself. */
  void underWay(Generation record, Place place);

  /**
   * Writes those that are among the items, which may have been written before.
   *
   * @param handle in a transaction
   */
  void write(Handle handle, List<Numbered> items);

  /** Items of this process's own journal are in the database. */
  void arrived(List<Numbered> items);

  /** The database takes others and not this one, and nobody tries any more. */
  void lost(Numbered item);
}
