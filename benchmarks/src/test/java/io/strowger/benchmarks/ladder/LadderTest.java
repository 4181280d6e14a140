package io.strowger.benchmarks.ladder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.benchmarks.http.Scenario;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The ladder")
class LadderTest {
  private static LadderOptions options(String... args) {
    return LadderOptions.of(240, 6, args);
  }

  @Test
  @DisplayName("has every rung by default, and runs those that use a store in memory and on disk")
  void defaults() {
    LadderOptions defaults = options();
    assertThat(defaults.rungs()).containsExactly(Rung.values());
    assertThat(defaults.runsInMemory(Rung.ATTEMPT)).isTrue();
    assertThat(defaults.runsOnDisk(Rung.ATTEMPT)).isFalse();
    assertThat(defaults.runsInMemory(Rung.WIRE)).isTrue();
    assertThat(defaults.runsOnDisk(Rung.WIRE)).isTrue();
    assertThat(defaults.plan().scenarios()).isEqualTo(Scenario.ALL);
  }

  @Test
  @DisplayName("has the rungs, the store and the times of its options")
  void selected() {
    LadderOptions selected =
        options("--rung", "wire", "--store", "durable", "--rung", "adapter", "--quick");
    assertThat(selected.rungs()).containsExactly(Rung.ADAPTER, Rung.WIRE);
    assertThat(selected.runsInMemory(Rung.ADAPTER)).isTrue();
    assertThat(selected.runsInMemory(Rung.WIRE)).isFalse();
    assertThat(selected.runsOnDisk(Rung.WIRE)).isTrue();
    assertThat(selected.plan().serialTime()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options("--store", "memory").runsOnDisk(Rung.HOST)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--rung top", "--store tape", "--rung", "--turns 0"})
  @DisplayName("refuses invalid options with exit code 2, and prints its options")
  void refused(String line) throws Exception {
    String[] args = line.split(" ");
    assertThatThrownBy(() -> options(args)).isInstanceOf(IllegalArgumentException.class);
    var out = new ByteArrayOutputStream();
    assertThat(Ladder.run(args, new PrintStream(out))).isEqualTo(2);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("--rung NAME");
  }

  @Test
  @Tag("full")
  @Tag("ladder")
  @Timeout(value = 3, unit = TimeUnit.MINUTES) // it starts some fifteen processes
  @DisplayName("compares each rung with the one below it, and the host with the relay")
  void report() throws Exception {
    var out = new ByteArrayOutputStream();
    String[] args = {
      "--quick",
      "--scenario",
      "1k",
      "--store",
      "durable",
      "--rung",
      "transport",
      "--rung",
      "turn",
      "--rung",
      "host",
      "--warm-up",
      "4",
      "--serial",
      "2",
      "--load",
      "2"
    };
    assertThat(Ladder.run(args, new PrintStream(out))).isZero();
    String output = out.toString(StandardCharsets.UTF_8);
    assertThat(output)
        .containsPattern("1 KB: warmed up by \\d+ s of load; figures (settled|had not settled)")
        .containsPattern("transport +[0-9.]+ +[0-9.]+ +[0-9.]+ *\n")
        .containsPattern("turn, durable +[0-9.]+ +[+-][0-9.]+ +[0-9.]+ +[+-][0-9.]+ ")
        .containsPattern("host, durable .* times the relay's CPU, p50 [+-][0-9.]+ us\n")
        .containsPattern("host, durable: listening after +\\d+ ms")
        .containsPattern("engine-core alone, built in its process +\\d+ ms")
        .doesNotContain("inference");
  }
}
