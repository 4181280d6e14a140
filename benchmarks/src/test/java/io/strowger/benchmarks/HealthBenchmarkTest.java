package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.health.Statistics;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthBenchmarkTest {
  @Test
  @DisplayName("Attempts of the benchmark succeed, one after the other and at different endpoints")
  void attempts() {
    var shared = new HealthBenchmark.Shared();
    try {
      var threadState = new HealthBenchmark.ThreadState();
      var benchmark = new HealthBenchmark();
      assertThat(benchmark.oneThreadOnDifferentEndpoints(shared, threadState))
          .isNotEqualTo(benchmark.oneThreadOnDifferentEndpoints(shared, threadState));
      assertThat(benchmark.oneThreadOnSameEndpoint(shared))
          .isEqualTo(benchmark.oneThreadOnSameEndpoint(shared));
    } finally {
      shared.close();
    }
  }

  @ParameterizedTest(name = "{0} changed endpoints")
  @ValueSource(ints = {20, 2_000})
  @DisplayName(
      "Every round of the benchmark publishes the answers of this many endpoints since the last"
          + " round")
  void publications(int changed) {
    var benchmark = new PublishBenchmark();
    benchmark.changed = changed;
    benchmark.setUp();
    benchmark.answerAgain();
    Statistics first = benchmark.publish();
    benchmark.answerAgain();
    Statistics second = benchmark.publish();
    assertThat(second.sequence()).isEqualTo(first.sequence() + 1);
    assertThat(answers(second) - answers(first)).isEqualTo(changed);
  }

  private static long answers(Statistics statistics) {
    return LargeCatalog.withRequestedModelEndpoints(5).endpoints().stream()
        .map(statistics::of)
        .mapToLong((EndpointStatistics one) -> one.requests(CountingPeriod.FIVE_MINUTES))
        .sum();
  }
}
