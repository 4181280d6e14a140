package io.strowger.stores.journal;

import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.Posting;
import org.jspecify.annotations.Nullable;

/** An item of the journal. */
public sealed interface JournalItem {
  /** Ledger lines, with the record of the request they end, if there is one. */
  record Lines(Posting posting) implements JournalItem {
    @Override
    public GenerationStore.@Nullable Generation record() {
      return posting.record();
    }
  }

  /** The record of a finished request, without ledger lines. */
  record Generation(GenerationStore.Generation record) implements JournalItem {
    @Override
    public String toString() {
      return record.toString();
    }
  }

  /**
   * A mark that everything before an item is on the disk itself.
   *
   * @param before the number of the first item for which that is not known
   */
  record Forced(long before) implements JournalItem {}

  /** A mark that nothing follows: the process ended in good order. */
  record Closed() implements JournalItem {}

  /** Returns the record of the request that this item ends; null when it has none. */
  default GenerationStore.@Nullable Generation record() {
    return null;
  }
}
