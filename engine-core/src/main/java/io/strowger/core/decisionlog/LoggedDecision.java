package io.strowger.core.decisionlog;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A decision, everything it was made from, and what became of it. Immutable; holds no prompt and no
 * credential.
 *
 * @param id generation id of the call
 * @param catalog what it was made over
 * @param statistics how that fared
 * @param query what was asked
 * @param plan what was decided
 * @param ending what became of it
 */
public record LoggedDecision(
    String id,
    Catalog catalog,
    Statistics statistics,
    RoutingQuery query,
    RoutePlan plan,
    Ending ending) {
  public LoggedDecision {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(catalog, "catalog");
    Objects.requireNonNull(statistics, "statistics");
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(ending, "ending");
  }

  /**
   * What became of a decision. These are facts, not consequences: a replay does not repeat them.
   *
   * @param attempts what was attempted or skipped, in order; other entries are left out
   * @param outcome how the call ended
   * @param error what the caller was told; null when all went well
   */
  public record Ending(
      List<TraceEntry> attempts, CallRecord.Outcome outcome, @Nullable ErrorCode error) {
    public Ending {
      attempts =
          attempts.stream()
              .filter(
                  entry ->
                      entry instanceof TraceEntry.Attempted || entry instanceof TraceEntry.Skipped)
              .toList();
      Objects.requireNonNull(outcome, "outcome");
    }
  }
}
