package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The speed of an endpoint")
class SpeedsTest {
  private final Gate gate = new Gate();

  @AfterEach
  void close() {
    gate.close();
  }

  private void streamed(String tag, long tokensPerSecond) {
    TrackedAttempt trackedAttempt = gate.let(tag);
    trackedAttempt.recordFirstContent(500_000_000);
    trackedAttempt.complete(tokensPerSecond * 2, 2_000_000_000, false, false);
  }

  private double throughput(Percentile percentile) {
    return gate.of("alpha").throughputMicroTokens(percentile) / 1e6;
  }

  @Proves({"routing.parameters.percentiles", "routing.parameters.PT-4", "open.29"})
  @Test
  @DisplayName(
      "PT-4: of 10, 20 ... 100 tokens per second is the lower tail: 10-20 at p90, 50-60 at p50")
  void lowerTail() {
    for (int rate = 10; rate <= 100; rate += 10) {
      streamed("alpha", rate);
    }
    gate.publish();
    assertThat(throughput(Percentile.P90)).isBetween(10.0, 20.7);
    assertThat(throughput(Percentile.P50)).isBetween(50.0, 62.0);
    assertThat(throughput(Percentile.P99)).isBetween(9.6, 10.4);
    assertThat(gate.of("alpha").samples()).isEqualTo(10);
    assertThat(gate.of("alpha").throughputSamples()).isEqualTo(10);
  }

  @Proves({"routing.parameters.percentiles", "open.29"})
  @Test
  @DisplayName("to the first token is the upper tail")
  void upperTail() {
    for (int i = 1; i <= 10; i++) {
      gate.let("alpha").recordFirstContent(i * 100_000_000L);
    }
    gate.publish();
    assertThat(gate.of("alpha").latencyMicros(Percentile.P90) / 1e3).isBetween(870.0, 930.0);
    assertThat(gate.of("alpha").latencyMicros(Percentile.P50) / 1e3).isBetween(484.0, 516.0);
    assertThat(gate.of("alpha").throughputMicroTokens(Percentile.P50))
        .as("nothing ended")
        .isEqualTo(-1);
    assertThat(gate.of("alpha").throughputSamples()).isZero();
  }

  @Proves("routing.parameters.percentiles")
  @Test
  @DisplayName("is of the last five minutes, up to half a minute more, and then not known")
  void ages() {
    streamed("alpha", 50);
    gate.publish();
    gate.pass(Duration.ofMinutes(5).minusMillis(250));
    assertThat(gate.of("alpha").samples()).isEqualTo(1);
    gate.pass(Duration.ofSeconds(30));
    assertThat(gate.of("alpha").samples()).isZero();
    assertThat(gate.of("alpha").latencyMicros(Percentile.P50)).isEqualTo(-1);
    assertThat(gate.of("alpha").throughputMicroTokens(Percentile.P50)).isEqualTo(-1);
  }

  @Test
  @DisplayName("is shown of the last half hour, up to five minutes more, and then not known")
  void shown() {
    assertThat(shown(Percentile.P50)).as("nothing yet").isEqualTo(-1e-6);
    streamed("alpha", 50);
    assertThat(shown(Percentile.P50)).as("at once").isBetween(48.0, 52.0);
    gate.pass(Duration.ofMinutes(29));
    streamed("alpha", 10);
    gate.publish();
    assertThat(throughput(Percentile.P50)).as("decisions").isBetween(9.6, 10.4);
    assertThat(shown(Percentile.P50)).as("people").isBetween(48.0, 52.0);
    assertThat(shown(Percentile.P99)).isBetween(9.6, 10.4);
    assertThat(gate.board.halfHourSpeeds(gate.endpoint("alpha")).latencyMicros(Percentile.P50))
        .isBetween(484_000L, 516_000L);
    gate.pass(Duration.ofMinutes(6));
    assertThat(shown(Percentile.P50)).isBetween(9.6, 10.4);
    assertThat(gate.board.halfHourSpeeds(gate.endpoint("beta"))).isSameAs(HalfHourSpeeds.NONE);
  }

  private double shown(Percentile percentile) {
    return gate.board.halfHourSpeeds(gate.endpoint("alpha")).throughputMicroTokens(percentile)
        / 1e6;
  }

  @Test
  @DisplayName("takes the first content once, and none after the end")
  void once() {
    TrackedAttempt trackedAttempt = gate.let("alpha");
    trackedAttempt.recordFirstContent(1_000_000);
    trackedAttempt.recordFirstContent(9_000_000);
    trackedAttempt.complete(0, 0, false, false);
    TrackedAttempt whole = gate.let("alpha");
    whole.abandon();
    whole.recordFirstContent(9_000_000);
    gate.publish();
    assertThat(gate.of("alpha").samples()).isEqualTo(1);
  }

  @Test
  @DisplayName("says nothing of answers that came as a whole or without a count of tokens")
  void whole() {
    gate.let("alpha").complete(100, 0, false, false);
    gate.let("alpha").complete(100, 999_999, false, false);
    gate.let("alpha").complete(0, 2_000_000_000, false, false);
    gate.publish();
    assertThat(gate.of("alpha").throughputSamples()).isZero();
    gate.let("alpha").complete(100, 1_000_000, false, false);
    gate.publish();
    assertThat(gate.of("alpha").throughputSamples()).isEqualTo(1);
  }
}
