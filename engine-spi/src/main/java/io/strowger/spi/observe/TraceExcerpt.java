package io.strowger.spi.observe;

import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Shortens the trace of a decision for a record, so that a model with a thousand endpoints does not
 * make a record of a thousand lines.
 */
final class TraceExcerpt {
  /** The number of excluded endpoints that are listed one by one. */
  static final int MAX_LISTED_ENDPOINTS = 16;

  private TraceExcerpt() {}

  /**
   * Returns all entries, except that the exclusions of further endpoints are only counted, by rule,
   * at the end.
   */
  static List<TraceEntry> of(List<TraceEntry> facts) {
    var listedEndpoints = new HashSet<String>();
    var counts = new LinkedHashMap<String, Integer>();
    var entries = new ArrayList<TraceEntry>();
    for (TraceEntry fact : facts) {
      if (fact instanceof TraceEntry.Excluded exclusion
          && !listedEndpoints.contains(exclusion.endpoint())
          && !(listedEndpoints.size() < MAX_LISTED_ENDPOINTS
              && listedEndpoints.add(exclusion.endpoint()))) {
        counts.merge(exclusion.rule(), 1, Integer::sum);
      } else {
        entries.add(fact);
      }
    }
    counts.forEach((rule, endpoints) -> entries.add(new TraceEntry.ExcludedCount(rule, endpoints)));
    return entries;
  }
}
