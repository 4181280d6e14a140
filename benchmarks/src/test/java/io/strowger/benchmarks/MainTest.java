package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The commands of the benchmarks")
class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int run(String line) throws Exception {
    return Main.run(line.split(" "), new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jmh",
        "decide",
        "destinations",
        "quality",
        "http",
        "ladder",
        "start",
        "restart",
        "profile",
        "report",
        "safety",
        "ledger-stress"
      })
  @DisplayName("explain themselves with --help and -h, and start nothing")
  void help(String command) throws Exception {
    assertThat(run(command + " --help")).isZero();
    String explained = text();
    assertThat(explained).contains(command);
    out.reset();
    assertThat(run(command + " -h")).isZero();
    assertThat(text()).isEqualTo(explained);
  }

  @ParameterizedTest
  @CsvSource({
    "jmh, needs a PATTERN",
    "safety --only nothing-of-this-name, no trial has nothing-of-this-name in its name",
    "destinations --seconds 0, --seconds N",
    "nothing, unknown command nothing"
  })
  @DisplayName("refuse a command line that selects nothing, or everything by mistake")
  void refused(String line, String message) throws Exception {
    assertThat(run(line)).isEqualTo(2);
    assertThat(text()).contains(message);
  }

  @Test
  @DisplayName("are listed with the benchmarks and targets")
  void list() throws Exception {
    assertThat(Main.run(new String[0], new PrintStream(out, true, StandardCharsets.UTF_8)))
        .isZero();
    assertThat(text()).contains("PlanBenchmark.decide", "targets:", "./gateway bench destinations");
  }
}
