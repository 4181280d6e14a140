package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UnusedPluginsBenchmarkTest {
  @Test
  @DisplayName("A gateway with all plugins gives the same answer as one with none")
  void same() throws IOException {
    var benchmark = new UnusedPluginsBenchmark();
    benchmark.setUp();
    try {
      assertThat(text(benchmark.with())).isEqualTo(text(benchmark.without())).contains("Yes.");
    } finally {
      benchmark.tearDown();
    }
  }

  /** Returns an answer without its id and its time. */
  private static String text(byte[] answer) {
    return new String(answer, StandardCharsets.UTF_8)
        .replaceAll("gen-[0-9A-Za-z-]+", "gen")
        .replaceAll("\"created\":[0-9]+", "\"created\":0");
  }
}
