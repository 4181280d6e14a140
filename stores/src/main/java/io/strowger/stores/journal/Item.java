package io.strowger.stores.journal;

import io.strowger.spi.store.Posting;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something written down. */
public sealed interface Item {
  /** Lines of the books. */
  record Lines(Posting posting) implements Item {}

  /**
   * What is known of a finished request. The JSON is kept as it is written.
   *
   * @param record JSON in UTF-8
   * @param content JSON in UTF-8; null when it is not kept
   */
  record Generation(String id, String owner, Instant at, byte[] record, byte @Nullable [] content)
      implements Item {
    @Override
    public String toString() {
      return id;
    }
  }

  /**
   * Everything before a place has reached the disk itself.
   *
   * @param before the number of the first item that had not when this was found
   */
  record Forced(long before) implements Item {}

  /** Nothing follows: the process ended in good order. */
  record Closed() implements Item {}
}
