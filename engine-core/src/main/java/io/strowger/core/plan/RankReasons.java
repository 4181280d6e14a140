package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.TraceEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Records which criterion gave each candidate its rank, for the trace. */
final class RankReasons {
  private static final double MICROS = 1e6;

  private final RuleContext context;
  private final ListedOrder order;
  private final List<TraceEntry> trace;
  private final Map<Integer, Reason> byEndpoint = new HashMap<>();

  private record Reason(String criterion, double score) {}

  RankReasons(RuleContext context, ListedOrder order, List<TraceEntry> trace) {
    this.context = context;
    this.order = order;
    this.trace = trace;
  }

  List<TraceEntry> trace() {
    return trace;
  }

  /**
   * Records the criterion of each endpoint of a shortlist.
   *
   * @param list the shortlist, in its final order
   */
  void record(Shortlist list) {
    Ordering ordering = Ordering.of(context.query(), list.sort());
    for (int i = 0; i < list.size(); i++) {
      Endpoint endpoint = list.endpoint(i);
      byEndpoint.put(endpoint.ordinal(), reason(list, i, ordering));
    }
  }

  private Reason reason(Shortlist list, int index, Ordering ordering) {
    Endpoint endpoint = list.endpoint(index);
    if (list.isFixed()) {
      return new Reason("router", index);
    }
    int rank = order.rankOf(endpoint);
    if (rank >= 0) {
      return new Reason("provider.order", rank);
    }
    if (index == 0
        && order.isEmpty()
        && context.query().stickyEndpoints().contains(endpoint.id())) {
      return new Reason("sticky", 0);
    }
    EndpointStatistics statistics = context.statistics().of(endpoint);
    return switch (ordering) {
      case DRAW, PRICE -> new Reason("price", endpoint.blendedPrice());
      case EXACTO -> new Reason("exacto", statistics.exacto().ordinal());
      case THROUGHPUT ->
          new Reason(
              "throughput",
              fromMicros(EndpointSpeeds.throughput(endpoint, statistics, Percentile.P50)));
      case LATENCY ->
          new Reason(
              "latency", fromMicros(EndpointSpeeds.latency(endpoint, statistics, Percentile.P50)));
    };
  }

  /** Converts millionths to units; {@link EndpointSpeeds#UNKNOWN} stays as it is. */
  private static double fromMicros(long micros) {
    return micros == EndpointSpeeds.UNKNOWN ? EndpointSpeeds.UNKNOWN : micros / MICROS;
  }

  TraceEntry traceEntry(PlannedAttempt candidate, int rank) {
    Endpoint endpoint = candidate.endpoint();
    Reason reason = Objects.requireNonNull(byEndpoint.get(endpoint.ordinal()));
    return new TraceEntry.Ranked(
        endpoint.id(), candidate.byokKey(), rank, reason.criterion(), reason.score());
  }
}
