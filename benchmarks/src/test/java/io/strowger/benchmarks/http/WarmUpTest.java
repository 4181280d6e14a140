package io.strowger.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Warming up")
class WarmUpTest {
  private static final Duration LIMIT = Duration.ofSeconds(16);

  private final List<Duration> slices = new ArrayList<>();

  private double cost(double cost, Duration time) {
    slices.add(time);
    return cost;
  }

  @Test
  @DisplayName("ends after three laps when no contender's cost changes by more than 5 %")
  void settled() throws Exception {
    String report = new WarmUp(2, LIMIT).run((contender, time) -> cost(contender + 1, time));
    assertThat(slices).hasSize(6).containsOnly(Duration.ofSeconds(1));
    assertThat(report).startsWith("warmed up by 6 s of load; figures settled");
  }

  @Test
  @DisplayName("continues while one contender's cost falls, and compares only the last three laps")
  void falls() throws Exception {
    double[] costs = {9, 6, 4, 2, 2, 2, 2, 2};
    String report =
        new WarmUp(2, LIMIT)
            .run((contender, time) -> cost(contender == 0 ? 1 : costs[lap()], time));
    assertThat(slices).hasSize(12);
    assertThat(report).contains("figures settled", "within 0 %");
  }

  @Test
  @DisplayName("ends at its limit and reports that the figures had not settled")
  void limit() throws Exception {
    String report = new WarmUp(2, LIMIT).run((contender, time) -> cost(1.0 / (1 + lap()), time));
    assertThat(slices).hasSize(16);
    assertThat(report).startsWith("warmed up by 16 s of load; figures had not settled");
  }

  private int lap() {
    return slices.size() / 2;
  }
}
