package io.strowger.benchmarks.http;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Puts several contenders under load in turns before figures count, because code that is not
 * compiled yet costs several times as much. Ends after a given time of load, or sooner when the
 * figures have settled: in the last three laps no contender's processor time per request differed
 * by more than 5 %. For one thread.
 */
public final class WarmUp {
  private static final int LAPS_OF_LIMIT = 8;
  private static final int LAPS_TO_COMPARE = 3;
  private static final double MAX_SPREAD = 0.05;

  private final List<List<Double>> costs = new ArrayList<>();
  private final Duration limit;

  /** Measures the cost of a request under load. */
  public interface CostMeasurement {
    /** Puts a contender under load for a time and returns the cost of a request, in any unit. */
    double costOf(int index, Duration time) throws IOException, InterruptedException;
  }

  /**
   * Creates a warm-up of some contenders.
   *
   * @param limit the longest load on all contenders together
   */
  public WarmUp(int contenderCount, Duration limit) {
    this.limit = limit;
    for (int i = 0; i < contenderCount; i++) {
      costs.add(new ArrayList<>());
    }
  }

  /** Warms up and returns a sentence about the result. */
  public String run(CostMeasurement load) throws IOException, InterruptedException {
    Duration slice = limit.dividedBy((long) LAPS_OF_LIMIT * costs.size());
    int laps = 0;
    while (laps < LAPS_OF_LIMIT && !isSettled()) {
      for (int index = 0; index < costs.size(); index++) {
        costs.get(index).add(load.costOf(index, slice));
      }
      laps++;
    }
    return String.format(
        Locale.ROOT,
        "warmed up by %.0f s of load; figures %s (CPU per request within %.0f %% over the last %d"
            + " laps)",
        slice.toNanos() / 1e9 * laps * costs.size(),
        isSettled() ? "settled" : "had not settled",
        maxSpread() * 100,
        Math.min(laps, LAPS_TO_COMPARE));
  }

  private boolean isSettled() {
    return costs.getFirst().size() >= LAPS_TO_COMPARE && maxSpread() <= MAX_SPREAD;
  }

  /**
   * Returns the largest spread of the last laps over all contenders, relative to the lowest lap.
   */
  private double maxSpread() {
    double maxSpread = 0;
    for (List<Double> cost : costs) {
      List<Double> last = cost.subList(Math.max(0, cost.size() - LAPS_TO_COMPARE), cost.size());
      maxSpread = Math.max(maxSpread, Collections.max(last) / Collections.min(last) - 1);
    }
    return maxSpread;
  }
}
