package io.strowger.core.decisionlog;

import io.strowger.core.health.Statistics;
import io.strowger.spi.catalog.Catalog;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a log that is about one catalog, as far as it was written or read. Both sides forget
 * alike, so what the writer takes for known is known to a reader. Not for several threads.
 */
final class CatalogPart {
  /** Publications that are remembered: more than come while the longest request is under way. */
  static final int MAX_STATISTICS = 4096;

  private final Catalog catalog;
  private final byte[] hash;
  private final byte[] dictionary;
  private final Map<Long, Statistics> statistics = new LinkedHashMap<>();
  private Statistics last = Statistics.NONE;

  CatalogPart(Catalog catalog, byte[] hash, byte[] dictionary) {
    this.catalog = catalog;
    this.hash = hash;
    this.dictionary = dictionary;
  }

  Catalog catalog() {
    return catalog;
  }

  /** Names the catalog in the records that are about it. */
  byte[] hash() {
    return hash;
  }

  /** A text that records about this catalog are like. */
  byte[] dictionary() {
    return dictionary;
  }

  void add(Statistics more) {
    statistics.put(more.sequence(), more);
    last = more;
    if (statistics.size() > MAX_STATISTICS) {
      statistics.remove(statistics.keySet().iterator().next());
    }
  }

  /** The statistics that were added last; {@link Statistics#NONE} when none were. */
  Statistics last() {
    return last;
  }

  /** Those of this number; null when they are not known or were forgotten. */
  @Nullable Statistics statistics(long sequence) {
    return sequence == 0 ? Statistics.NONE : statistics.get(sequence);
  }
}
