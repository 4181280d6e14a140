package io.strowger.benchmarks.ladder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.benchmarks.http.LoadPlan;
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
    return LadderOptions.of(new LoadPlan.Builder(240, 40, 6), args);
  }

  @Test
  @DisplayName("has every rung, those that keep something with both stores, unless it is told so")
  void usual() {
    LadderOptions usual = options();
    assertThat(usual.rungs()).containsExactly(Rung.values());
    assertThat(usual.runsInMemory(Rung.ATTEMPT)).isTrue();
    assertThat(usual.runsOnDisk(Rung.ATTEMPT)).isFalse();
    assertThat(usual.runsInMemory(Rung.WIRE)).isTrue();
    assertThat(usual.runsOnDisk(Rung.WIRE)).isTrue();
    assertThat(usual.plan().scenarios()).isEqualTo(Scenario.ALL);
  }

  @Test
  @DisplayName("has the rungs, the store and the times it is told")
  void selected() {
    LadderOptions some =
        options("--rung", "wire", "--store", "durable", "--rung", "adapter", "--quick");
    assertThat(some.rungs()).containsExactly(Rung.ADAPTER, Rung.WIRE);
    assertThat(some.runsInMemory(Rung.ADAPTER)).isTrue();
    assertThat(some.runsInMemory(Rung.WIRE)).isFalse();
    assertThat(some.runsOnDisk(Rung.WIRE)).isTrue();
    assertThat(some.plan().serialTime()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options("--store", "memory").runsOnDisk(Rung.HOST)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--rung top", "--store tape", "--rung", "--serial 0"})
  @DisplayName("refuses what it does not understand with exit code 2, and says what there is")
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
  @DisplayName("reports each rung over the one below it, and the host beside the relay")
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
    String said = out.toString(StandardCharsets.UTF_8);
    assertThat(said)
        .containsPattern("1 KB: warmed up by \\d+ s of load; figures (settled|had not settled)")
        .containsPattern("transport +[0-9.]+ +[0-9.]+ +[0-9.]+ *\n")
        .containsPattern("turn, durable +[0-9.]+ +[+-][0-9.]+ +[0-9.]+ +[+-][0-9.]+ ")
        .containsPattern("host, durable .* times the relay's CPU, p50 [+-][0-9.]+ us\n")
        .containsPattern("host, durable: listening after +\\d+ ms")
        .containsPattern("engine-core alone, built in its process +\\d+ ms")
        .doesNotContain("inference");
  }
}
