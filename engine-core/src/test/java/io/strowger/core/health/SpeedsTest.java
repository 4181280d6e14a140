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
  private final HealthFixture fixture = new HealthFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private void recordStream(String tag, long tokensPerSecond) {
    TrackedAttempt trackedAttempt = fixture.beginPermitted(tag);
    trackedAttempt.recordFirstContent(500_000_000);
    trackedAttempt.complete(tokensPerSecond * 2, 2_000_000_000, false, false);
  }

  private double throughput(Percentile percentile) {
    return fixture.statistics("alpha").throughputMicroTokens(percentile) / 1e6;
  }

  @Proves({"routing.parameters.percentiles", "routing.parameters.PT-4", "open.29"})
  @Test
  @DisplayName(
      "PT-4: of 10, 20 ... 100 tokens per second is taken from the lower tail: 10-20 at p90, 50-60 "
          + "at p50")
  void lowerTail() {
    for (int rate = 10; rate <= 100; rate += 10) {
      recordStream("alpha", rate);
    }
    fixture.publish();
    assertThat(throughput(Percentile.P90)).isBetween(10.0, 20.7);
    assertThat(throughput(Percentile.P50)).isBetween(50.0, 62.0);
    assertThat(throughput(Percentile.P99)).isBetween(9.6, 10.4);
    assertThat(fixture.statistics("alpha").samples()).isEqualTo(10);
    assertThat(fixture.statistics("alpha").throughputSamples()).isEqualTo(10);
  }

  @Proves({"routing.parameters.percentiles", "open.29"})
  @Test
  @DisplayName("to the first token is taken from the upper tail")
  void upperTail() {
    for (int i = 1; i <= 10; i++) {
      fixture.beginPermitted("alpha").recordFirstContent(i * 100_000_000L);
    }
    fixture.publish();
    assertThat(fixture.statistics("alpha").latencyMicros(Percentile.P90) / 1e3)
        .isBetween(870.0, 930.0);
    assertThat(fixture.statistics("alpha").latencyMicros(Percentile.P50) / 1e3)
        .isBetween(484.0, 516.0);
    assertThat(fixture.statistics("alpha").throughputMicroTokens(Percentile.P50))
        .as("nothing ended")
        .isEqualTo(-1);
    assertThat(fixture.statistics("alpha").throughputSamples()).isZero();
  }

  @Proves("routing.parameters.percentiles")
  @Test
  @DisplayName("covers the last five minutes, up to half a minute more, and is then unknown")
  void ages() {
    recordStream("alpha", 50);
    fixture.publish();
    fixture.advance(Duration.ofMinutes(5).minusMillis(250));
    assertThat(fixture.statistics("alpha").samples()).isEqualTo(1);
    fixture.advance(Duration.ofSeconds(30));
    assertThat(fixture.statistics("alpha").samples()).isZero();
    assertThat(fixture.statistics("alpha").latencyMicros(Percentile.P50)).isEqualTo(-1);
    assertThat(fixture.statistics("alpha").throughputMicroTokens(Percentile.P50)).isEqualTo(-1);
  }

  @Test
  @DisplayName("covers the last half hour for display, up to five minutes more")
  void displayed() {
    assertThat(displayedThroughput(Percentile.P50)).as("before any attempt").isEqualTo(-1e-6);
    recordStream("alpha", 50);
    assertThat(displayedThroughput(Percentile.P50)).as("at once").isBetween(48.0, 52.0);
    fixture.advance(Duration.ofMinutes(29));
    recordStream("alpha", 10);
    fixture.publish();
    assertThat(throughput(Percentile.P50)).as("for decisions").isBetween(9.6, 10.4);
    assertThat(displayedThroughput(Percentile.P50)).as("for display").isBetween(48.0, 52.0);
    assertThat(displayedThroughput(Percentile.P99)).isBetween(9.6, 10.4);
    assertThat(
            fixture
                .catalogHealth
                .halfHourSpeeds(fixture.endpoint("alpha"))
                .latencyMicros(Percentile.P50))
        .isBetween(484_000L, 516_000L);
    fixture.advance(Duration.ofMinutes(6));
    assertThat(displayedThroughput(Percentile.P50)).isBetween(9.6, 10.4);
    assertThat(fixture.catalogHealth.halfHourSpeeds(fixture.endpoint("beta")))
        .isSameAs(HalfHourSpeeds.NONE);
  }

  private double displayedThroughput(Percentile percentile) {
    return fixture
            .catalogHealth
            .halfHourSpeeds(fixture.endpoint("alpha"))
            .throughputMicroTokens(percentile)
        / 1e6;
  }

  @Test
  @DisplayName("counts the first content once, and none after the end")
  void once() {
    TrackedAttempt trackedAttempt = fixture.beginPermitted("alpha");
    trackedAttempt.recordFirstContent(1_000_000);
    trackedAttempt.recordFirstContent(9_000_000);
    trackedAttempt.complete(0, 0, false, false);
    TrackedAttempt notStreamed = fixture.beginPermitted("alpha");
    notStreamed.abandon();
    notStreamed.recordFirstContent(9_000_000);
    fixture.publish();
    assertThat(fixture.statistics("alpha").samples()).isEqualTo(1);
  }

  @Test
  @DisplayName("is not measured for answers that were not streamed or have no token count")
  void notStreamed() {
    fixture.beginPermitted("alpha").complete(100, 0, false, false);
    fixture.beginPermitted("alpha").complete(100, 999_999, false, false);
    fixture.beginPermitted("alpha").complete(0, 2_000_000_000, false, false);
    fixture.publish();
    assertThat(fixture.statistics("alpha").throughputSamples()).isZero();
    fixture.beginPermitted("alpha").complete(100, 1_000_000, false, false);
    fixture.publish();
    assertThat(fixture.statistics("alpha").throughputSamples()).isEqualTo(1);
  }
}
