package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DestinationLatencyBenchmarkTest {
  @ParameterizedTest
  @ValueSource(strings = {"hanging", "failing"})
  @Tag("full")
  @DisplayName("Calls are answered beside destinations that do not work, whose queues run over")
  void queuesRunOver(String destinations) throws IOException {
    var benchmark = new DestinationLatencyBenchmark();
    benchmark.destinations = destinations;
    benchmark.setUp();
    try {
      while (benchmark.dropped() < 10) { // without end when nothing is dropped
        assertThat(benchmark.call()).isPositive();
      }
      assertThat(benchmark.delivered()).isZero();
    } finally {
      benchmark.tearDown();
    }
  }

  @Test
  @DisplayName("Destinations that answer are sent the calls that are measured")
  void answering() throws IOException {
    var benchmark = new DestinationLatencyBenchmark();
    benchmark.destinations = "answering";
    benchmark.setUp();
    try {
      assertThat(benchmark.call()).isPositive();
      while (benchmark.delivered() < 3) { // without end when a destination is sent nothing
        Thread.onSpinWait();
      }
      assertThat(benchmark.dropped()).isZero();
    } finally {
      benchmark.tearDown();
    }
  }
}
