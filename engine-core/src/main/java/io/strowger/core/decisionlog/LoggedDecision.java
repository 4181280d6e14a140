package io.strowger.core.decisionlog;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision with its inputs, and the outcome of its call. Immutable; holds no prompt and no
 * credential.
 *
 * @param id generation id of the call
 * @param catalog the catalog it was made from
 * @param statistics the endpoint statistics it was made from
 * @param query the routing query of the request
 * @param plan the resulting candidates or refusal
 * @param ending the attempts and the outcome of the call
 */
public record LoggedDecision(
    String id,
    Catalog catalog,
    Statistics statistics,
    RoutingQuery query,
    RoutePlan plan,
    Ending ending) {
  /**
   * The attempts and the outcome of a decision's call. A replay neither repeats nor compares them.
   *
   * @param attempts the attempted and skipped candidates, in order; other entries are left out
   * @param outcome how the call ended
   * @param error the error the caller received; null when there was none
   * @param usage the usage of the answer; null when there was none, and in logs of versions that
   *     did not record it
   */
  public record Ending(
      List<TraceEntry> attempts,
      CallRecord.Outcome outcome,
      @Nullable ErrorCode error,
      @Nullable Usage usage) {
    public Ending {
      attempts =
          attempts.stream()
              .filter(
                  entry ->
                      entry instanceof TraceEntry.Attempted || entry instanceof TraceEntry.Skipped)
              .toList();
    }

    /** Creates the ending of a decision whose usage is not known. */
    public Ending(
        List<TraceEntry> attempts, CallRecord.Outcome outcome, @Nullable ErrorCode error) {
      this(attempts, outcome, error, null);
    }
  }
}
