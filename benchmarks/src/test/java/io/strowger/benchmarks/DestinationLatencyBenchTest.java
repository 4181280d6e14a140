package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DestinationLatencyBenchTest {
  @Test
  @Tag("full")
  @DisplayName("Calls are measured together with broken destinations whose queues have overflowed")
  void overflowedQueues() throws IOException {
    List<DestinationLatencyBench.Row> rows =
        DestinationLatencyBench.measureFor(Duration.ofMillis(200));
    assertThat(rows)
        .extracting(DestinationLatencyBench.Row::name)
        .containsExactly("none", "none again", "hanging", "failing");
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.calls()).isGreaterThanOrEqualTo(50);
              assertThat(row.p99Micros()).isGreaterThanOrEqualTo(row.p50Micros()).isPositive();
            });
    assertThat(rows.getFirst().addedMicros()).isZero();
    assertThat(rows.subList(0, 2)).allMatch(row -> row.dropped() == 0);
    // three destinations drop each measured call
    assertThat(rows.subList(2, 4)).allMatch(row -> row.dropped() >= 3L * row.calls());
  }
}
