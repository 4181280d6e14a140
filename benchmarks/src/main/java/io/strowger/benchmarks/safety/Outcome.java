package io.strowger.benchmarks.safety;

import io.strowger.spi.json.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a trial.
 *
 * @param name the name of the trial
 * @param baseline the honest clients' figures before the attack; null for trials without them
 * @param underAttack their figures during the attack; null for trials without them
 * @param remarks further results, such as how late deadlines were
 * @param faults the reasons why the trial missed its target; empty when it passed
 */
record Outcome(
    String name,
    @Nullable HonestTraffic baseline,
    @Nullable HonestTraffic underAttack,
    String remarks,
    String faults) {
  static final String HEADINGS =
      String.format(
          Locale.ROOT,
          "%-22s %9s %9s %9s %9s %7s %10s  %s",
          "trial",
          "p50 alone",
          "p99 alone",
          "p50 now",
          "p99 now",
          "ratio",
          "health",
          "verdict");

  boolean passes() {
    return faults.isEmpty();
  }

  /**
   * Returns the ratio of the honest clients' 99th percentiles, during and before; 0 without them.
   */
  double ratio() {
    return baseline == null || underAttack == null
        ? 0
        : (double) underAttack.times().quantile(0.99) / baseline.times().quantile(0.99);
  }

  /** Returns a line of the table; times in milliseconds. */
  String line() {
    String figures =
        baseline == null || underAttack == null
            ? " ".repeat(58)
            : String.format(
                Locale.ROOT,
                "%9.1f %9.1f %9.1f %9.1f %6.1fx %10.1f",
                millis(baseline.times().quantile(0.5)),
                millis(baseline.times().quantile(0.99)),
                millis(underAttack.times().quantile(0.5)),
                millis(underAttack.times().quantile(0.99)),
                ratio(),
                millis(underAttack.slowestProbe()));
    String verdict = passes() ? "pass" : "MISS: " + faults;
    return String.format(
        Locale.ROOT,
        "%-22s %s  %s%s",
        name,
        figures,
        verdict,
        remarks.isEmpty() ? "" : "  (" + remarks + ")");
  }

  Json.Obj toJson() {
    Json.Obj.Builder row = Json.object().put("trial", name);
    if (baseline != null && underAttack != null) {
      row.put("alone", baseline.toJson())
          .put("beside", underAttack.toJson())
          .put("ratio", Json.of(Math.round(ratio() * 10) / 10.0 + ""));
    }
    return row.put("remarks", remarks).put("faults", faults).put("passes", passes()).build();
  }

  static double millis(long nanos) {
    return nanos / 1e6;
  }
}
