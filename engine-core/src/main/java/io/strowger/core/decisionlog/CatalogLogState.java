package io.strowger.core.decisionlog;

import io.strowger.core.health.Statistics;
import io.strowger.spi.catalog.Catalog;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a log for one catalog, kept by the writer and by a reader. Both drop the same
 * statistics, so the writer never refers to statistics that a reader no longer has. Not
 * thread-safe.
 */
final class CatalogLogState {
  /** How many statistics are kept: more than are published during the longest request. */
  static final int MAX_STATISTICS = 4096;

  private final Catalog catalog;
  private final byte[] hash;
  private final byte[] dictionary;
  private final Map<Long, Statistics> statistics = new LinkedHashMap<>();
  private Statistics last = Statistics.NONE;

  CatalogLogState(Catalog catalog, byte[] hash, byte[] dictionary) {
    this.catalog = catalog;
    this.hash = hash;
    this.dictionary = dictionary;
  }

  Catalog catalog() {
    return catalog;
  }

  /** Returns the hash that names the catalog in the records about it. */
  byte[] hash() {
    return hash;
  }

  /** Returns the compression dictionary of the records about this catalog. */
  byte[] dictionary() {
    return dictionary;
  }

  void add(Statistics added) {
    statistics.put(added.sequence(), added);
    last = added;
    if (statistics.size() > MAX_STATISTICS) {
      statistics.remove(statistics.keySet().iterator().next());
    }
  }

  /** Returns the statistics added last; {@link Statistics#NONE} if none were added. */
  Statistics last() {
    return last;
  }

  /** Returns the statistics with this number; null when they are unknown or were dropped. */
  @Nullable Statistics statistics(long sequence) {
    return sequence == 0 ? Statistics.NONE : statistics.get(sequence);
  }
}
