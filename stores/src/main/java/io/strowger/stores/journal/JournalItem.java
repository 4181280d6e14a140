package io.strowger.stores.journal;

import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.Posting;
import org.jspecify.annotations.Nullable;

/** Something written down. */
public sealed interface JournalItem {
  /** Lines of the books, with the record of the request they end where there is one. */
  record Lines(Posting posting) implements JournalItem {
    @Override
    public GenerationStore.@Nullable Generation record() {
      return posting.record();
    }
  }

  /** What is known of a finished request, by itself. */
  record Generation(GenerationStore.Generation record) implements JournalItem {
    @Override
    public String toString() {
      return record.toString();
    }
  }

  /**
   * Everything before a place has reached the disk itself.
   *
   * @param before the number of the first item that had not when this was found
   */
  record Forced(long before) implements JournalItem {}

  /** Nothing follows: the process ended in good order. */
  record Closed() implements JournalItem {}

  /** What is known of a request that finished with it; null when none did. */
  default GenerationStore.@Nullable Generation record() {
    return null;
  }
}
