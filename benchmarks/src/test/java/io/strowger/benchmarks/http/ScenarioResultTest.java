package io.strowger.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The result of a comparison")
class ScenarioResultTest {
  private static final Scenario SCENARIO = Scenario.of("1k");

  /** Returns a result whose rounds have these medians, and whose laps cost this much. */
  private static ScenarioResult result(long[] micros, double[] cpu, double bytes, long disk) {
    var contender =
        HttpContender.gateway("memory", URI.create("http://a"), () -> ProcessUsage.NONE, () -> 0);
    List<Samples> rounds = LongStream.of(micros).mapToObj(ScenarioResultTest::round).toList();
    List<InterleavedComparison.Load> loads =
        DoubleStream.of(cpu)
            .mapToObj(each -> new InterleavedComparison.Load(1_000, 5_000, each, bytes))
            .toList();
    return new ScenarioResult(
        SCENARIO,
        new InterleavedComparison.SerialResult(contender, rounds, ProcessUsage.NONE),
        loads,
        disk);
  }

  private static Samples round(long micros) {
    var round = new Samples();
    round.add(micros * 1_000);
    return round;
  }

  private static Bound bound(Bound.Measure measure) {
    return Bound.ALL.stream()
        .filter(one -> one.scenario().equals("1k") && one.measure() == measure)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName(
      "compares each lap and round with the same one of the relay, so that disturbances cancel out")
  void paired() {
    ScenarioResult relay =
        result(new long[] {100, 900, 110}, new double[] {50, 400, 60}, 44_000, 0);
    ScenarioResult gateway =
        result(new long[] {120, 920, 130}, new double[] {60, 440, 72}, 26_500, 3_000);
    assertThat(gateway.cpuRatio(relay)).isEqualTo(1.2);
    assertThat(gateway.addedMicros(relay)).isEqualTo(20);
    assertThat(gateway.cpuMicros()).isEqualTo(72);
    assertThat(gateway.diskBytesPerRequest()).isEqualTo(1);
    assertThat(bound(Bound.Measure.CPU_RATIO).figure(gateway, relay)).isEqualTo(1.2);
    assertThat(bound(Bound.Measure.ADDED_MICROS).figure(gateway, relay)).isEqualTo(20);
    assertThat(bound(Bound.Measure.KILOBYTES).figure(gateway, relay)).isEqualTo(26.5);
    assertThat(bound(Bound.Measure.DISK).figure(gateway, relay)).isEqualTo(0.001);
  }

  @Test
  @DisplayName(
      "holds a bound and reaches an aim that it equals, and misses a bound that it exceeds")
  void verdict() {
    Bound ratio = bound(Bound.Measure.CPU_RATIO);
    assertThat(ratio.line(1.1)).startsWith("reached");
    assertThat(ratio.line(1.11)).startsWith("held");
    assertThat(ratio.line(1.35)).startsWith("held").contains("at most 1.35, better 1.1");
    assertThat(ratio.line(1.36)).startsWith("MISSED");
  }
}
