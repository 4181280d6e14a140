package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A breaker")
class BreakerTest {
  private static final Failure DOWN = Failure.of(FailureKind.UNAVAILABLE, "down");

  private final HealthFixture fixture = new HealthFixture();

  /** The state of a breaker. */
  enum Circuit {
    CLOSED,
    OPEN,
    /** One request probes whether the endpoint has recovered. */
    HALF_OPEN,
    /** The endpoint has recovered and regains its share gradually. */
    SLOW_START
  }

  private Circuit circuit() {
    EndpointStatistics statistics = fixture.statistics("alpha");
    if (statistics.isBreakerOpen()) {
      return statistics.isProbing() ? Circuit.HALF_OPEN : Circuit.OPEN;
    }
    return statistics.recoveredAtMillis() != 0 ? Circuit.SLOW_START : Circuit.CLOSED;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void open() {
    fixture.fail("alpha", 5);
    assertThat(fixture.begin("alpha")).as("after five failures").isNull();
  }

  private void openAndCoolDown() {
    open();
    fixture.advance(Duration.ofSeconds(5));
  }

  @Nested
  @DisplayName("that is closed")
  class Closed {
    @ParameterizedTest(name = "{0} successes, {1} failures: {2}")
    @DisplayName("opens at five failures that are more than half of the requests")
    @CsvSource({"0, 4, CLOSED", "0, 5, OPEN", "4, 5, OPEN", "5, 5, CLOSED", "5, 6, OPEN"})
    void opens(int successes, int failures, Circuit expected) {
      fixture.succeed("alpha", successes);
      fixture.fail("alpha", failures);
      fixture.publish();
      assertThat(circuit()).isEqualTo(expected);
      assertThat(fixture.begin("alpha") == null).isEqualTo(expected == Circuit.OPEN);
      assertThat(fixture.begin("beta")).as("another endpoint").isNotNull();
    }

    @Test
    @DisplayName("counts the last 30 seconds only")
    void window() {
      fixture.fail("alpha", 4);
      fixture.advance(Duration.ofSeconds(31));
      fixture.fail("alpha", 4);
      assertThat(fixture.begin("alpha")).isNotNull();
      fixture.advance(Duration.ofSeconds(30));
      fixture.fail("alpha", 1);
      assertThat(fixture.begin("alpha")).as("five in 30 seconds").isNull();
    }

    @ParameterizedTest
    @DisplayName("stays closed for other failures:")
    @EnumSource(names = {"INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY", "CANCELLED"})
    void otherFailures(FailureKind kind) {
      fixture.fail("alpha", 100, kind);
      fixture.publish();
      assertThat(fixture.statistics("alpha")).isEqualTo(EndpointStatistics.NONE);
    }

    @ParameterizedTest
    @DisplayName("is not opened by a failure of a credential:")
    @EnumSource(names = {"CREDENTIAL", "QUOTA", "RATE_LIMITED"})
    void credentials(FailureKind kind) {
      for (int i = 0; i < 100; i++) {
        fixture.beginPermittedWith("key" + i, "alpha").fail(Failure.of(kind, "refused"));
      }
      fixture.fail("alpha", 1, kind);
      fixture.publish();
      assertThat(fixture.statistics("alpha").isBreakerOpen()).isFalse();
      assertThat(fixture.beginWith("another", "alpha")).isNotNull();
    }

    @Test
    @DisplayName("is also opened by failures with BYOK keys, since the endpoint is the same")
    void byok() {
      for (int i = 0; i < 5; i++) {
        fixture.beginPermittedWith("key", "alpha").fail(DOWN);
      }
      assertThat(fixture.begin("alpha")).isNull();
      assertThat(fixture.beginWith("key", "alpha")).isNull();
    }
  }

  @Nested
  @DisplayName("that is open")
  class Open {
    @Test
    @DisplayName("is published at once, with the time of the first probe")
    void published() {
      open();
      assertThat(circuit()).isEqualTo(Circuit.OPEN);
      assertThat(fixture.statistics("alpha").hasOutage()).isTrue();
      assertThat(fixture.statistics("alpha").blockedUntilMillis())
          .isEqualTo(HealthFixture.START_MILLIS + 5_000);
      assertThat(fixture.catalogHealth.published().isAllHealthy()).isFalse();
    }

    @Test
    @DisplayName("lets nothing through for five seconds, then one probe")
    void probe() {
      open();
      fixture.advance(Duration.ofSeconds(5).minusNanos(1));
      assertThat(fixture.begin("alpha")).isNull();
      fixture.ambient.advance(Duration.ofNanos(1));
      assertThat(fixture.beginPermitted("alpha").isProbe()).isTrue();
      assertThat(fixture.begin("alpha")).as("a second one").isNull();
      assertThat(fixture.beginWith("key", "alpha")).as("with another credential").isNull();
      assertThat(circuit()).isEqualTo(Circuit.HALF_OPEN);
    }

    @Test
    @DisplayName("ignores the results of requests that were sent before it opened")
    void stale() {
      TrackedAttempt succeeding = fixture.beginPermitted("alpha");
      TrackedAttempt failing = fixture.beginPermitted("alpha");
      open();
      succeeding.complete(1, 0, false, false);
      failing.fail(DOWN);
      assertThat(fixture.begin("alpha")).isNull();
      assertThat(fixture.statistics("alpha").blockedUntilMillis())
          .isEqualTo(HealthFixture.START_MILLIS + 5_000);
    }
  }

  @Nested
  @DisplayName("that is half open")
  class HalfOpen {
    @Test
    @DisplayName("closes when the probe succeeds, and the endpoint starts slowly for 30 seconds")
    void closes() {
      openAndCoolDown();
      fixture.beginPermitted("alpha").complete(1, 0, false, false);
      assertThat(circuit()).isEqualTo(Circuit.SLOW_START);
      assertThat(fixture.statistics("alpha").recoveredAtMillis())
          .isEqualTo(HealthFixture.START_MILLIS + 5_000);
      assertThat(fixture.statistics("alpha").blockedUntilMillis()).isZero();
      assertThat(fixture.statistics("alpha").hasOutage()).as("older than the probe").isFalse();
      fixture.advance(Duration.ofSeconds(30).minusMillis(1));
      assertThat(circuit()).isEqualTo(Circuit.SLOW_START);
      fixture.advance(Duration.ofMillis(250));
      assertThat(circuit()).isEqualTo(Circuit.CLOSED);
    }

    @Test
    @DisplayName("counts failures from zero once it is closed")
    void countsFromZero() {
      TrackedAttempt old = fixture.beginPermitted("alpha");
      openAndCoolDown();
      fixture.beginPermitted("alpha").complete(1, 0, false, false);
      old.fail(DOWN);
      fixture.fail("alpha", 4);
      assertThat(fixture.begin("alpha")).as("four failures since").isNotNull();
      fixture.fail("alpha", 1);
      assertThat(fixture.begin("alpha")).as("five").isNull();
      assertThat(fixture.statistics("alpha").blockedUntilMillis())
          .isEqualTo(HealthFixture.START_MILLIS + 10_000);
    }

    @Test
    @DisplayName("cools down twice as long after each probe that fails, up to a minute")
    void doubles() {
      openAndCoolDown();
      long at = 5;
      for (int wait : new int[] {10, 20, 40, 60, 60}) {
        fixture.beginPermitted("alpha").fail(DOWN);
        assertThat(fixture.statistics("alpha").blockedUntilMillis())
            .isEqualTo(HealthFixture.START_MILLIS + (at + wait) * 1_000);
        fixture.advance(Duration.ofSeconds(wait).minusMillis(1));
        assertThat(fixture.begin("alpha")).isNull();
        fixture.ambient.advance(Duration.ofMillis(1));
        at += wait;
      }
    }

    @Test
    @DisplayName("permits another probe when the first is abandoned")
    void abandoned() {
      openAndCoolDown();
      fixture.beginPermitted("alpha").abandon();
      assertThat(fixture.beginPermitted("alpha").isProbe()).isTrue();
    }

    @ParameterizedTest
    @DisplayName(
        "permits another probe when the failure of the first says nothing about the endpoint:")
    @EnumSource(
        names = {"INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY", "CANCELLED", "CREDENTIAL"})
    void nothingSaid(FailureKind kind) {
      openAndCoolDown();
      fixture.beginPermittedWith("key", "alpha").fail(Failure.of(kind, "not the endpoint's"));
      assertThat(fixture.beginPermitted("alpha").isProbe()).isTrue();
    }

    @Test
    @DisplayName(
        "permits another probe when the first has no result for a minute, and then ignores the "
            + "first")
    void vanished() {
      openAndCoolDown();
      TrackedAttempt vanished = fixture.beginPermitted("alpha");
      fixture.advance(Duration.ofSeconds(60).minusNanos(1));
      assertThat(fixture.begin("alpha")).isNull();
      fixture.ambient.advance(Duration.ofNanos(1));
      TrackedAttempt second = fixture.beginPermitted("alpha");
      vanished.complete(1, 0, false, false);
      assertThat(fixture.statistics("alpha").isBreakerOpen()).isTrue();
      second.complete(1, 0, false, false);
      assertThat(fixture.statistics("alpha").isBreakerOpen()).isFalse();
    }

    @Test
    @DisplayName("waits longer for a probe whose answer has begun")
    void streaming() {
      openAndCoolDown();
      TrackedAttempt probe = fixture.beginPermitted("alpha");
      fixture.advance(Duration.ofSeconds(50));
      probe.recordFirstContent(50_000_000_000L);
      fixture.advance(Duration.ofMinutes(10).minusNanos(1));
      assertThat(fixture.begin("alpha")).isNull();
      probe.complete(1_000, 1_000_000_000, false, false);
      assertThat(fixture.begin("alpha")).isNotNull();
    }
  }
}
