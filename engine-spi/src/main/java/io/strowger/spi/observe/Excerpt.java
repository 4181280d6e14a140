package io.strowger.spi.observe;

import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The facts of a decision as a record keeps them: a model with a thousand endpoints must not make a
 * record of a thousand lines.
 */
final class Excerpt {
  /** The number of excluded endpoints that are listed one by one. */
  static final int MOST = 16;

  private Excerpt() {}

  /** Returns all facts, but further endpoints' exclusions only as a count by rule, at the end. */
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
