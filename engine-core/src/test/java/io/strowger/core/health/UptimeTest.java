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
  private final HealthFixture fixture = new HealthFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Records requests with failures spread among the successes, so that no breaker opens. */
  private void recordRequests(int requests, int failures) {
    int remaining = failures;
    for (int i = 0; i < requests; i++) {
      boolean fails = (long) (i + 1) * failures / requests > (long) i * failures / requests;
      if (fails) {
        fixture.fail("alpha", 1, FailureKind.CREDENTIAL);
        fixture
            .health
            .credentialCooldowns()
            .unblockAll(); // else the credential would be blocked at the provider
        remaining--;
      } else {
        fixture.succeed("alpha", 1);
      }
    }
    assertThat(remaining).isZero();
    fixture.publish();
  }

  @Proves("routing.draw.UP-1")
  @Test
  @DisplayName("UP-1: is normal for 50 failures of 99 requests, which are too few to judge")
  void tooFew() {
    recordRequests(99, 50);
    assertThat(fixture.statistics("alpha").uptime()).isEqualTo(Uptime.NORMAL);
    assertThat(fixture.statistics("alpha").uptimePercent(CountingPeriod.HALF_HOUR)).isEmpty();
    assertThat(fixture.statistics("alpha").failures(CountingPeriod.HALF_HOUR)).isEqualTo(50);
  }

  @Proves("routing.draw.UP-2")
  @Test
  @DisplayName("UP-2: is degraded at 94 %")
  void degraded() {
    recordRequests(200, 12);
    assertThat(fixture.statistics("alpha").uptime()).isEqualTo(Uptime.DEGRADED);
    assertThat(fixture.statistics("alpha").uptimePercent(CountingPeriod.HALF_HOUR)).hasValue(94.0);
  }

  @Proves("routing.draw.UP-3")
  @Test
  @DisplayName("UP-3: is down at 79.5 %")
  void down() {
    recordRequests(200, 41);
    assertThat(fixture.statistics("alpha").uptime()).isEqualTo(Uptime.DOWN);
    assertThat(fixture.statistics("alpha").uptimePercent(CountingPeriod.HALF_HOUR)).hasValue(79.5);
  }

  @Proves("routing.draw.UP-4")
  @Test
  @DisplayName("UP-4: is 100 % after 100 successes and 400 answers of 429")
  void rateLimited() {
    fixture.succeed("alpha", 100);
    for (int i = 0; i < 400; i++) {
      fixture
          .beginPermittedWith("key" + i, "alpha")
          .fail(Failure.of(FailureKind.RATE_LIMITED, "slow down"));
    }
    fixture.publish();
    assertThat(fixture.statistics("alpha").uptimePercent(CountingPeriod.HALF_HOUR)).hasValue(100.0);
    assertThat(fixture.statistics("alpha").uptime()).isEqualTo(Uptime.NORMAL);
  }

  @Proves("routing.draw.uptime")
  @ParameterizedTest(name = "{0} requests, {1} failures: {2}")
  @DisplayName("is judged from 100 requests on, with limits at 95 % and 80 %")
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
    recordRequests(requests, failures);
    assertThat(fixture.statistics("alpha").uptime()).isEqualTo(expected);
  }

  @Proves("routing.draw.uptime.listing")
  @Test
  @DisplayName("is kept for five minutes, half an hour and a day, and dropped after that")
  void spans() {
    recordRequests(100, 10);
    fixture.advance(Duration.ofMinutes(6));
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.FIVE_MINUTES)).isZero();
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.HALF_HOUR)).isEqualTo(100);
    assertThat(fixture.statistics("alpha").uptime()).isEqualTo(Uptime.DEGRADED);
    fixture.advance(Duration.ofMinutes(25));
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.HALF_HOUR)).isZero();
    assertThat(fixture.statistics("alpha").uptime()).isEqualTo(Uptime.NORMAL);
    assertThat(fixture.statistics("alpha").uptimePercent(CountingPeriod.DAY)).hasValue(90.0);
    fixture.advance(Duration.ofDays(1));
    assertThat(fixture.statistics("alpha")).isEqualTo(EndpointStatistics.NONE);
  }

  @Test
  @DisplayName("covers at least the full five minutes, half an hour and day")
  void notLess() {
    recordRequests(100, 10);
    fixture.advance(Duration.ofMinutes(5).minusSeconds(1));
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.FIVE_MINUTES)).isEqualTo(100);
    fixture.advance(Duration.ofMinutes(25));
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.HALF_HOUR)).isEqualTo(100);
    fixture.advance(Duration.ofMinutes(23 * 60 + 30));
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.DAY)).isEqualTo(100);
  }

  @Proves("routing.draw.uptime.failures")
  @ParameterizedTest
  @DisplayName("falls by failures of the endpoint or of the gateway's credential:")
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
    fixture.beginPermitted("alpha").fail(Failure.of(kind, "failed"));
    fixture.publish();
    assertThat(fixture.statistics("alpha").failures(CountingPeriod.HALF_HOUR)).isEqualTo(1);
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.HALF_HOUR)).isEqualTo(1);
  }

  @Proves("routing.draw.uptime.failures")
  @ParameterizedTest
  @DisplayName("is not changed by failures that are not the fault of the provider:")
  @EnumSource(
      names = {"RATE_LIMITED", "INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY", "CANCELLED"})
  void doesNotCount(FailureKind kind) {
    fixture.beginPermitted("alpha").fail(Failure.of(kind, "failed"));
    fixture.publish();
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.DAY)).isZero();
  }

  @Proves("routing.draw.uptime.failures")
  @Test
  @DisplayName("does not change by a 403, which may concern the location of the gateway")
  void forbidden() {
    fixture
        .beginPermitted("alpha")
        .fail(new Failure(FailureKind.CREDENTIAL, 403, -1, "not from there"));
    fixture.publish();
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.DAY)).isZero();
  }

  @Test
  @DisplayName("does not change by an attempt that was abandoned")
  void abandoned() {
    TrackedAttempt trackedAttempt = fixture.beginPermitted("alpha");
    trackedAttempt.recordFirstContent(1_000_000);
    trackedAttempt.abandon();
    fixture.publish();
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.DAY)).isZero();
  }

  @ParameterizedTest
  @DisplayName("does not change by the refusal of a BYOK key:")
  @EnumSource(names = {"CREDENTIAL", "QUOTA", "NOT_FOUND"})
  void customersKey(FailureKind kind) {
    fixture.beginPermittedWith("key", "alpha").fail(Failure.of(kind, "refused"));
    fixture.publish();
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.DAY)).isZero();
  }

  @Test
  @DisplayName("counts an attempt once, by its first result")
  void endsOnce() {
    TrackedAttempt trackedAttempt = fixture.beginPermitted("alpha");
    trackedAttempt.complete(10, 0, false, false);
    trackedAttempt.fail(Failure.of(FailureKind.UNAVAILABLE, "late"));
    trackedAttempt.abandon();
    trackedAttempt.complete(10, 0, false, false);
    fixture.publish();
    assertThat(fixture.statistics("alpha").requests(CountingPeriod.DAY)).isEqualTo(1);
    assertThat(fixture.statistics("alpha").failures(CountingPeriod.DAY)).isZero();
  }
}
