package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The uptime of an endpoint")
class UptimeTest {
  private final Gate gate = new Gate();

  @AfterEach
  void close() {
    gate.close();
  }

  /** Failures among successes, so that no breaker opens. */
  private void mixed(int requests, int failures) {
    int left = failures;
    for (int i = 0; i < requests; i++) {
      boolean fails = (long) (i + 1) * failures / requests > (long) i * failures / requests;
      if (fails) {
        gate.fail("alpha", 1, FailureKind.CREDENTIAL);
        gate.health
            .credentialCooldowns()
            .unblockAll(); // or one wrong credential would close the provider
        left--;
      } else {
        gate.succeed("alpha", 1);
      }
    }
    assertThat(left).isZero();
    gate.publish();
  }

  @Proves("routing.draw.UP-1")
  @Test
  @DisplayName("UP-1: is normal for 50 failures of 99 requests, for nobody can tell from so few")
  void tooFew() {
    mixed(99, 50);
    assertThat(gate.of("alpha").uptime()).isEqualTo(Uptime.NORMAL);
    assertThat(gate.of("alpha").uptimePercent(CountingPeriod.HALF_HOUR)).isEmpty();
    assertThat(gate.of("alpha").failures(CountingPeriod.HALF_HOUR)).isEqualTo(50);
  }

  @Proves("routing.draw.UP-2")
  @Test
  @DisplayName("UP-2: is degraded at 94 %")
  void degraded() {
    mixed(200, 12);
    assertThat(gate.of("alpha").uptime()).isEqualTo(Uptime.DEGRADED);
    assertThat(gate.of("alpha").uptimePercent(CountingPeriod.HALF_HOUR)).hasValue(94.0);
  }

  @Proves("routing.draw.UP-3")
  @Test
  @DisplayName("UP-3: is down at 79.5 %")
  void down() {
    mixed(200, 41);
    assertThat(gate.of("alpha").uptime()).isEqualTo(Uptime.DOWN);
    assertThat(gate.of("alpha").uptimePercent(CountingPeriod.HALF_HOUR)).hasValue(79.5);
  }

  @Proves("routing.draw.UP-4")
  @Test
  @DisplayName("UP-4: is 100 % after 100 successes and 400 answers of 429")
  void rateLimited() {
    gate.succeed("alpha", 100);
    for (int i = 0; i < 400; i++) {
      gate.letWith("key" + i, "alpha").fail(Failure.of(FailureKind.RATE_LIMITED, "slow down"));
    }
    gate.publish();
    assertThat(gate.of("alpha").uptimePercent(CountingPeriod.HALF_HOUR)).hasValue(100.0);
    assertThat(gate.of("alpha").uptime()).isEqualTo(Uptime.NORMAL);
  }

  @Proves("routing.draw.uptime")
  @ParameterizedTest(name = "{0} requests, {1} failures: {2}")
  @DisplayName("is drawn at 100 requests, 95 % and 80 %")
  @CsvSource({
    "99, 20, NORMAL",
    "100, 5, NORMAL",
    "100, 6, DEGRADED",
    "1000, 50, NORMAL",
    "1000, 51, DEGRADED",
    "100, 20, DEGRADED",
    "100, 21, DOWN",
    "1000, 200, DEGRADED",
    "1000, 201, DOWN"
  })
  void bounds(int requests, int failures, Uptime expected) {
    mixed(requests, failures);
    assertThat(gate.of("alpha").uptime()).isEqualTo(expected);
  }

  @Proves("routing.draw.uptime.listing")
  @Test
  @DisplayName("is kept over five minutes, half an hour and a day, and forgotten after")
  void spans() {
    mixed(100, 10);
    gate.pass(Duration.ofMinutes(6));
    assertThat(gate.of("alpha").requests(CountingPeriod.FIVE_MINUTES)).isZero();
    assertThat(gate.of("alpha").requests(CountingPeriod.HALF_HOUR)).isEqualTo(100);
    assertThat(gate.of("alpha").uptime()).isEqualTo(Uptime.DEGRADED);
    gate.pass(Duration.ofMinutes(25));
    assertThat(gate.of("alpha").requests(CountingPeriod.HALF_HOUR)).isZero();
    assertThat(gate.of("alpha").uptime()).isEqualTo(Uptime.NORMAL);
    assertThat(gate.of("alpha").uptimePercent(CountingPeriod.DAY)).hasValue(90.0);
    gate.pass(Duration.ofDays(1));
    assertThat(gate.of("alpha")).isEqualTo(EndpointStatistics.NONE);
  }

  @Test
  @DisplayName("covers at least five minutes and half an hour")
  void notLess() {
    mixed(100, 10);
    gate.pass(Duration.ofMinutes(5).minusSeconds(1));
    assertThat(gate.of("alpha").requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(100);
    gate.pass(Duration.ofMinutes(25));
    assertThat(gate.of("alpha").requests(CountingPeriod.HALF_HOUR)).isEqualTo(100);
    gate.pass(Duration.ofMinutes(23 * 60 + 30));
    assertThat(gate.of("alpha").requests(CountingPeriod.DAY)).isEqualTo(100);
  }

  @Proves("routing.draw.uptime.failures")
  @ParameterizedTest
  @DisplayName("falls by what the endpoint or the gateway's credential is to blame for:")
  @EnumSource(
      names = {
        "OVERLOADED",
        "UNAVAILABLE",
        "TIMEOUT",
        "NOT_FOUND",
        "PROTOCOL",
        "CREDENTIAL",
        "QUOTA"
      })
  void counts(FailureKind kind) {
    gate.let("alpha").fail(Failure.of(kind, "failed"));
    gate.publish();
    assertThat(gate.of("alpha").failures(CountingPeriod.HALF_HOUR)).isEqualTo(1);
    assertThat(gate.of("alpha").requests(CountingPeriod.HALF_HOUR)).isEqualTo(1);
  }

  @Proves("routing.draw.uptime.failures")
  @ParameterizedTest
  @DisplayName("does not change by what the caller or nobody is to blame for:")
  @EnumSource(
      names = {"RATE_LIMITED", "INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY", "CANCELLED"})
  void doesNotCount(FailureKind kind) {
    gate.let("alpha").fail(Failure.of(kind, "failed"));
    gate.publish();
    assertThat(gate.of("alpha").requests(CountingPeriod.DAY)).isZero();
  }

  @Proves("routing.draw.uptime.failures")
  @Test
  @DisplayName("does not change by a 403, which may be about where the gateway stands")
  void forbidden() {
    gate.let("alpha").fail(new Failure(FailureKind.CREDENTIAL, 403, -1, "not from there"));
    gate.publish();
    assertThat(gate.of("alpha").requests(CountingPeriod.DAY)).isZero();
  }

  @Test
  @DisplayName("does not change by an attempt that was abandoned")
  void abandoned() {
    TrackedAttempt trackedAttempt = gate.let("alpha");
    trackedAttempt.recordFirstContent(1_000_000);
    trackedAttempt.abandon();
    gate.publish();
    assertThat(gate.of("alpha").requests(CountingPeriod.DAY)).isZero();
  }

  @ParameterizedTest
  @DisplayName("does not change by what a customer's own key was refused for:")
  @EnumSource(names = {"CREDENTIAL", "QUOTA", "NOT_FOUND"})
  void customersKey(FailureKind kind) {
    gate.letWith("key", "alpha").fail(Failure.of(kind, "refused"));
    gate.publish();
    assertThat(gate.of("alpha").requests(CountingPeriod.DAY)).isZero();
  }

  @Test
  @DisplayName("counts an attempt once, by how it ended first")
  void endsOnce() {
    TrackedAttempt trackedAttempt = gate.let("alpha");
    trackedAttempt.complete(10, 0, false, false);
    trackedAttempt.fail(Failure.of(FailureKind.UNAVAILABLE, "late"));
    trackedAttempt.abandon();
    trackedAttempt.complete(10, 0, false, false);
    gate.publish();
    assertThat(gate.of("alpha").requests(CountingPeriod.DAY)).isEqualTo(1);
    assertThat(gate.of("alpha").failures(CountingPeriod.DAY)).isZero();
  }
}
