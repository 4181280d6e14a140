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
final class Excerpt {
  /** The number of excluded endpoints that are listed one by one. */
  static final int MOST = 16;

  private Excerpt() {}

  /**
   * Returns all entries, except that the exclusions of further endpoints are only counted, by rule,
   * at the end.
   */
  static List<TraceEntry> of(List<TraceEntry> facts) {
    var told = new HashSet<String>();
    var counts = new LinkedHashMap<String, Integer>();
    var kept = new ArrayList<TraceEntry>();
    for (TraceEntry fact : facts) {
      if (fact instanceof TraceEntry.Excluded dropped
          && !told.contains(dropped.endpoint())
          && !(told.size() < MOST && told.add(dropped.endpoint()))) {
        counts.merge(dropped.rule(), 1, Integer::sum);
      } else {
        kept.add(fact);
      }
    }
    counts.forEach((rule, endpoints) -> kept.add(new TraceEntry.Counted(rule, endpoints)));
    return kept;
  }
}
