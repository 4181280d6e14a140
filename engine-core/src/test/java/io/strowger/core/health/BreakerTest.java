package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.Circuit;
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

  private final Gate gate = new Gate();

  @AfterEach
  void close() {
    gate.close();
  }

  private void open() {
    gate.fail("alpha", 5);
    assertThat(gate.begin("alpha")).as("after five failures").isNull();
  }

  private void openAndCool() {
    open();
    gate.pass(Duration.ofSeconds(5));
  }

  @Nested
  @DisplayName("that is closed")
  class Closed {
    @ParameterizedTest(name = "{0} successes, {1} failures: {2}")
    @DisplayName("opens at five failures that are more than half of the requests")
    @CsvSource({"0, 4, CLOSED", "0, 5, OPEN", "4, 5, OPEN", "5, 5, CLOSED", "5, 6, OPEN"})
    void opens(int successes, int failures, Circuit expected) {
      gate.succeed("alpha", successes);
      gate.fail("alpha", failures);
      gate.publish();
      assertThat(gate.of("alpha").circuit()).isEqualTo(expected);
      assertThat(gate.begin("alpha") == null).isEqualTo(expected == Circuit.OPEN);
      assertThat(gate.begin("beta")).as("another endpoint").isNotNull();
    }

    @Test
    @DisplayName("counts the last 30 seconds only")
    void window() {
      gate.fail("alpha", 4);
      gate.pass(Duration.ofSeconds(31));
      gate.fail("alpha", 4);
      assertThat(gate.begin("alpha")).isNotNull();
      gate.pass(Duration.ofSeconds(30));
      gate.fail("alpha", 1);
      assertThat(gate.begin("alpha")).as("five in 30 seconds").isNull();
    }

    @ParameterizedTest
    @DisplayName("stays closed whatever else goes wrong:")
    @EnumSource(names = {"INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY", "CANCELLED"})
    void others(FailureKind kind) {
      gate.fail("alpha", 100, kind);
      gate.publish();
      assertThat(gate.of("alpha")).isEqualTo(EndpointStatistics.NONE);
    }

    @ParameterizedTest
    @DisplayName("is not opened by a credential:")
    @EnumSource(names = {"CREDENTIAL", "QUOTA", "RATE_LIMITED"})
    void credentials(FailureKind kind) {
      for (int i = 0; i < 100; i++) {
        gate.letWith("key" + i, "alpha").fail(Failure.of(kind, "refused"));
      }
      gate.fail("alpha", 1, kind);
      gate.publish();
      assertThat(gate.of("alpha").isBreakerOpen()).isFalse();
      assertThat(gate.beginWith("another", "alpha")).isNotNull();
    }

    @Test
    @DisplayName("is opened by failures with customers' keys, too: the endpoint is the same")
    void byok() {
      for (int i = 0; i < 5; i++) {
        gate.letWith("key", "alpha").fail(DOWN);
      }
      assertThat(gate.begin("alpha")).isNull();
      assertThat(gate.beginWith("key", "alpha")).isNull();
    }
  }

  @Nested
  @DisplayName("that is open")
  class Open {
    @Test
    @DisplayName("is published at once, with the time of the first probe")
    void published() {
      open();
      assertThat(gate.of("alpha").circuit()).isEqualTo(Circuit.OPEN);
      assertThat(gate.of("alpha").hasOutage()).isTrue();
      assertThat(gate.of("alpha").blockedUntilMillis()).isEqualTo(Gate.START_MILLIS + 5_000);
      assertThat(gate.board.published().isAllHealthy()).isFalse();
    }

    @Test
    @DisplayName("lets nothing through for five seconds, then one probe")
    void probe() {
      open();
      gate.pass(Duration.ofSeconds(5).minusNanos(1));
      assertThat(gate.begin("alpha")).isNull();
      gate.ambient.advance(Duration.ofNanos(1));
      assertThat(gate.let("alpha").isProbe()).isTrue();
      assertThat(gate.begin("alpha")).as("a second one").isNull();
      assertThat(gate.beginWith("key", "alpha")).as("with another credential").isNull();
      assertThat(gate.of("alpha").circuit()).isEqualTo(Circuit.HALF_OPEN);
    }

    @Test
    @DisplayName("has no ear for requests that were sent out before")
    void stale() {
      TrackedAttempt good = gate.let("alpha");
      TrackedAttempt bad = gate.let("alpha");
      open();
      good.complete(1, 0, false, false);
      bad.fail(DOWN);
      assertThat(gate.begin("alpha")).isNull();
      assertThat(gate.of("alpha").blockedUntilMillis()).isEqualTo(Gate.START_MILLIS + 5_000);
    }
  }

  @Nested
  @DisplayName("that is half open")
  class HalfOpen {
    @Test
    @DisplayName("closes when the probe succeeds, and the endpoint starts slowly for 30 seconds")
    void closes() {
      openAndCool();
      gate.let("alpha").complete(1, 0, false, false);
      assertThat(gate.of("alpha").circuit()).isEqualTo(Circuit.SLOW_START);
      assertThat(gate.of("alpha").recoveredAtMillis()).isEqualTo(Gate.START_MILLIS + 5_000);
      assertThat(gate.of("alpha").blockedUntilMillis()).isZero();
      assertThat(gate.of("alpha").hasOutage()).as("older than the probe").isFalse();
      gate.pass(Duration.ofSeconds(30).minusMillis(1));
      assertThat(gate.of("alpha").circuit()).isEqualTo(Circuit.SLOW_START);
      gate.pass(Duration.ofMillis(250));
      assertThat(gate.of("alpha").circuit()).isEqualTo(Circuit.CLOSED);
    }

    @Test
    @DisplayName("begins to count anew once closed")
    void anew() {
      TrackedAttempt old = gate.let("alpha");
      openAndCool();
      gate.let("alpha").complete(1, 0, false, false);
      old.fail(DOWN);
      gate.fail("alpha", 4);
      assertThat(gate.begin("alpha")).as("four failures since").isNotNull();
      gate.fail("alpha", 1);
      assertThat(gate.begin("alpha")).as("five").isNull();
      assertThat(gate.of("alpha").blockedUntilMillis()).isEqualTo(Gate.START_MILLIS + 10_000);
    }

    @Test
    @DisplayName("cools down twice as long after each probe that fails, up to a minute")
    void doubles() {
      openAndCool();
      long at = 5;
      for (int wait : new int[] {10, 20, 40, 60, 60}) {
        gate.let("alpha").fail(DOWN);
        assertThat(gate.of("alpha").blockedUntilMillis())
            .isEqualTo(Gate.START_MILLIS + (at + wait) * 1_000);
        gate.pass(Duration.ofSeconds(wait).minusMillis(1));
        assertThat(gate.begin("alpha")).isNull();
        gate.ambient.advance(Duration.ofMillis(1));
        at += wait;
      }
    }

    @Test
    @DisplayName("takes the permit back when the probe is abandoned")
    void abandoned() {
      openAndCool();
      gate.let("alpha").abandon();
      assertThat(gate.let("alpha").isProbe()).isTrue();
    }

    @ParameterizedTest
    @DisplayName("takes the permit back when the probe says nothing about the endpoint:")
    @EnumSource(
        names = {"INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY", "CANCELLED", "CREDENTIAL"})
    void nothingSaid(FailureKind kind) {
      openAndCool();
      gate.letWith("key", "alpha").fail(Failure.of(kind, "not the endpoint's"));
      assertThat(gate.let("alpha").isProbe()).isTrue();
    }

    @Test
    @DisplayName(
        "lets another probe through when the first vanished for a minute, and heeds only it")
    void vanished() {
      openAndCool();
      TrackedAttempt vanished = gate.let("alpha");
      gate.pass(Duration.ofSeconds(60).minusNanos(1));
      assertThat(gate.begin("alpha")).isNull();
      gate.ambient.advance(Duration.ofNanos(1));
      TrackedAttempt second = gate.let("alpha");
      vanished.complete(1, 0, false, false);
      assertThat(gate.of("alpha").isBreakerOpen()).isTrue();
      second.complete(1, 0, false, false);
      assertThat(gate.of("alpha").isBreakerOpen()).isFalse();
    }

    @Test
    @DisplayName("waits longer for a probe whose answer is coming")
    void streaming() {
      openAndCool();
      TrackedAttempt probe = gate.let("alpha");
      gate.pass(Duration.ofSeconds(50));
      probe.recordFirstContent(50_000_000_000L);
      gate.pass(Duration.ofMinutes(10).minusNanos(1));
      assertThat(gate.begin("alpha")).isNull();
      probe.complete(1_000, 1_000_000_000, false, false);
      assertThat(gate.begin("alpha")).isNotNull();
    }
  }
}
