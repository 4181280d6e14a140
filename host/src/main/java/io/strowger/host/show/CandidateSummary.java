package io.strowger.host.show;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Describes a candidate in short phrases: why it has its rank, how its attempts ended, and its
 * health.
 */
final class CandidateSummary {
  /** The number of quarter picodollars per token that equal one dollar per million tokens. */
  private static final double QUARTER_PICOS = 4e6;

  private static final List<EndpointStatistics.Exacto> TIERS =
      List.of(EndpointStatistics.Exacto.values());

  private CandidateSummary() {}

  /**
   * Returns why a candidate has its rank; prices are in dollars per million tokens, positions in a
   * list count from 1.
   */
  static String by(TraceEntry.Ranked ranked) {
    double score = ranked.score();
    return switch (ranked.by()) {
      case "price" -> "price " + text("%.4f", score / QUARTER_PICOS);
      case "provider.order" -> "order " + (long) (score + 1);
      case "throughput" -> score < 0 ? "no throughput" : text("%.1f tokens/s", score);
      case "latency" -> score < 0 ? "no latency" : text("%.0f ms", score * 1000);
      case "exacto" -> "tools " + words(TIERS.get((int) score));
      case "sticky" -> "same as before";
      default -> ranked.by();
    };
  }

  private static String text(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static String of(PlannedAttempt candidate, DecisionView decision) {
    var said = new ArrayList<String>();
    if (candidate.probe()) {
      said.add("probe");
    }
    TraceEntry.Attempted last = lastAttempt(decision);
    for (TraceEntry entry : decision.trace()) {
      switch (entry) {
        case TraceEntry.Attempted attempt
            when is(candidate, attempt.endpoint(), attempt.byokKey()) ->
            said.add(attempt(attempt, attempt.equals(last) ? decision.outcome() : null));
        case TraceEntry.Skipped(var endpoint, var key, var why) when is(candidate, endpoint, key) ->
            said.add("skipped: " + why);
        case TraceEntry.Attempted other -> {}
        case TraceEntry.Skipped other -> {}
        case TraceEntry.Excluded other -> {}
        case TraceEntry.Counted other -> {}
        case TraceEntry.Narrowed other -> {}
        case TraceEntry.Routed other -> {}
        case TraceEntry.Ranked other -> {}
        case TraceEntry.Translated other -> {}
        case TraceEntry.Stage other -> {}
        case TraceEntry.Note other -> {}
      }
    }
    health(decision.over().statistics().of(candidate.endpoint()), said);
    return String.join(", ", said);
  }

  private static boolean is(PlannedAttempt candidate, String endpoint, @Nullable String key) {
    return endpoint.equals(candidate.endpoint().id()) && Objects.equals(key, candidate.byokKey());
  }

  private static TraceEntry.@Nullable Attempted lastAttempt(DecisionView decision) {
    TraceEntry.Attempted last = null;
    for (TraceEntry entry : decision.trace()) {
      if (entry instanceof TraceEntry.Attempted attempt) {
        last = attempt;
      }
    }
    return last;
  }

  /**
   * @param outcome how the answer of this attempt ended; null for a complete one
   */
  private static String attempt(
      TraceEntry.Attempted attempt, CallRecord.@Nullable Outcome outcome) {
    String time = text("%.1f ms", attempt.nanos() / 1e6);
    FailureKind failure = attempt.failure();
    if (failure == null) {
      return switch (outcome) {
        case ERROR -> "began to answer in " + time + " and broke off";
        case CANCELLED -> "began to answer in " + time + " and was cancelled";
        case COMPLETE -> "answered in " + time;
        case null -> "answered in " + time;
      };
    }
    String status = attempt.status() == 0 ? "" : attempt.status() + " ";
    return "failed: " + status + words(failure) + ", " + time;
  }

  /** Adds phrases for the known statistics of an endpoint. */
  private static void health(EndpointStatistics its, List<String> said) {
    long latency = its.latencyMicros(Percentile.P50);
    if (latency >= 0) {
      said.add(text("%.0f ms", latency / 1e3));
    }
    long throughput = its.throughputMicros(Percentile.P50);
    if (throughput >= 0) {
      said.add(text("%.1f tokens/s", throughput / 1e6));
    }
    if (its.uptime() != EndpointStatistics.Uptime.NORMAL) {
      said.add(words(its.uptime()));
    }
    if (its.outage()) {
      said.add("recent outage");
    }
    if (its.closedUntilMillis() != 0) {
      String until = " until " + Instant.ofEpochMilli(its.closedUntilMillis());
      said.add((its.isBreakerOpen() ? "broken" : "cooling down") + until);
    }
  }
}
