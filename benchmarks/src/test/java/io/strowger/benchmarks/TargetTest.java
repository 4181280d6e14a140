package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TargetTest {
  private static final Target TARGET =
      new Target("X1", "SomeBenchmark.method 5", 3, Target.Measure.TIMES, "SomeBenchmark.peer");

  @Test
  @DisplayName("Every target names benchmarks that exist")
  void benchmarksExist() {
    List<String> known = JmhRun.list();
    assertThat(known).isNotEmpty();
    for (Target target : Target.ALL) {
      assertThat(known).contains(target.subject().split(" ", 2)[0]);
      if (target.peer() != null) {
        assertThat(known).contains(target.peer());
      }
    }
  }

  @Test
  @DisplayName("A bound holds when it is reached exactly and is missed above")
  void bound() {
    assertThat(TargetReport.verdict(TARGET, 3)).contains("held").contains("at most 3.0 x");
    assertThat(TargetReport.verdict(TARGET, 3.001)).contains("MISSED");
  }

  @Test
  @DisplayName("A comparison of times is open when its error range includes the bound")
  void open() {
    assertThat(TargetReport.verdict(TARGET, 2.5, 0.1)).contains("held");
    assertThat(TargetReport.verdict(TARGET, 2.5, 0.5)).contains("open").contains("error");
    assertThat(TargetReport.verdict(TARGET, 3.5, 0.1)).contains("MISSED");
    assertThat(TargetReport.verdict(TARGET, 3.5, 0.5)).contains("open");
    assertThat(TargetReport.verdict(TARGET, 2.5, Double.NaN)).contains("open");
  }

  @Test
  @DisplayName("A rate holds from its bound on upwards")
  void rate() {
    var rate = new Target("X2", "A.two", 1.6, Target.Measure.MIN_RATE, "A.one");
    assertThat(TargetReport.verdict(rate, 1.6))
        .contains("held")
        .contains("at least 1.6 x the rate");
    assertThat(TargetReport.verdict(rate, 1.599)).contains("MISSED");
    assertThat(TargetReport.verdict(rate, 2)).contains("held");
  }

  @Test
  @DisplayName("Every target of the routing decision is in the list")
  void routingTargets() {
    assertThat(Target.ALL)
        .extracting(Target::id)
        .contains("R1", "R2", "R3", "R4", "R5", "R6", "C1");
  }

  @Test
  @DisplayName("The peer of a target gets the same parameter as its subject")
  void peerSubject() {
    assertThat(TARGET.peerSubject()).isEqualTo("SomeBenchmark.peer 5");
  }

  @Test
  @DisplayName(
      "Without arguments, all benchmarks and targets are listed; an unknown command is refused")
  void list() throws Exception {
    assertThat(output(0)).contains("PlanBenchmark.decide").contains("R1").contains("usage");
    assertThat(output(2, "nonsense")).contains("nonsense").contains("usage");
  }

  private static String output(int code, String... args) throws Exception {
    var bytes = new ByteArrayOutputStream();
    assertThat(Main.run(args, new PrintStream(bytes, true, StandardCharsets.UTF_8)))
        .isEqualTo(code);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
