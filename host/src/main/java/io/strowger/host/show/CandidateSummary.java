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

  private static final List<EndpointStatistics.Exacto> EXACTO_TIERS =
      List.of(EndpointStatistics.Exacto.values());

  private CandidateSummary() {}

  /**
   * Returns why a candidate has its rank; prices are in dollars per million tokens, positions in a
   * list count from 1.
   */
  static String rankingReason(TraceEntry.Ranked ranked) {
    double score = ranked.score();
    return switch (ranked.criterion()) {
      case "price" -> "price " + format("%.4f", score / QUARTER_PICOS);
      case "provider.order" -> "order " + (long) (score + 1);
      case "throughput" -> score < 0 ? "no throughput" : format("%.1f tokens/s", score);
      case "latency" -> score < 0 ? "no latency" : format("%.0f ms", score * 1000);
      case "exacto" -> "tools " + toWords(EXACTO_TIERS.get((int) score));
      case "sticky" -> "same as before";
      default -> ranked.criterion();
    };
  }

  private static String format(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String toWords(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static String of(PlannedAttempt candidate, DecisionView decision) {
    var phrases = new ArrayList<String>();
    if (candidate.probe()) {
      phrases.add("probe");
    }
    TraceEntry.Attempted last = lastAttempt(decision);
    for (TraceEntry entry : decision.trace()) {
      switch (entry) {
        case TraceEntry.Attempted attempt
            when isFor(candidate, attempt.endpoint(), attempt.byokKey()) ->
            phrases.add(attempt(attempt, attempt.equals(last) ? decision.outcome() : null));
        case TraceEntry.Skipped(var endpoint, var key, var why)
            when isFor(candidate, endpoint, key) ->
            phrases.add("skipped: " + why);
        case TraceEntry.Attempted ignored -> {}
        case TraceEntry.Skipped ignored -> {}
        case TraceEntry.Excluded ignored -> {}
        case TraceEntry.ExcludedCount ignored -> {}
        case TraceEntry.Narrowed ignored -> {}
        case TraceEntry.Routed ignored -> {}
        case TraceEntry.Ranked ignored -> {}
        case TraceEntry.Translated ignored -> {}
        case TraceEntry.Stage ignored -> {}
        case TraceEntry.Note ignored -> {}
      }
    }
    addHealth(decision.inputs().statistics().of(candidate.endpoint()), phrases);
    return String.join(", ", phrases);
  }

  private static boolean isFor(PlannedAttempt candidate, String endpoint, @Nullable String key) {
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
    String time = format("%.1f ms", attempt.nanos() / 1e6);
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
    return "failed: " + status + toWords(failure) + ", " + time;
  }

  /** Adds phrases for the known statistics of an endpoint. */
  private static void addHealth(EndpointStatistics statistics, List<String> phrases) {
    long latency = statistics.latencyMicros(Percentile.P50);
    if (latency >= 0) {
      phrases.add(format("%.0f ms", latency / 1e3));
    }
    long throughput = statistics.throughputMicroTokens(Percentile.P50);
    if (throughput >= 0) {
      phrases.add(format("%.1f tokens/s", throughput / 1e6));
    }
    if (statistics.uptime() != EndpointStatistics.Uptime.NORMAL) {
      phrases.add(toWords(statistics.uptime()));
    }
    if (statistics.hasOutage()) {
      phrases.add("recent outage");
    }
    if (statistics.blockedUntilMillis() != 0) {
      String until = " until " + Instant.ofEpochMilli(statistics.blockedUntilMillis());
      phrases.add((statistics.isBreakerOpen() ? "breaker open" : "cooling down") + until);
    }
  }
}
