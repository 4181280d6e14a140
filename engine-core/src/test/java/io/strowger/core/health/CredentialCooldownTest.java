package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A credential that was refused")
class CredentialCooldownTest {
  private final Gate gate = new Gate();

  @AfterEach
  void close() {
    gate.close();
  }

  private static Failure refused(FailureKind kind, int status, long retryAfter) {
    return new Failure(kind, status, retryAfter, "refused");
  }

  private static Failure limited(long retryAfter) {
    return refused(FailureKind.RATE_LIMITED, 429, retryAfter);
  }

  private long secondsClosed(String tag) {
    return (gate.of(tag).blockedUntilMillis() - Gate.START_MILLIS) / 1_000;
  }

  @ParameterizedTest(name = "Retry-After {0}: {1} s")
  @DisplayName("for its rate waits as long as asked, from one second to sixty, and five unasked")
  @CsvSource({
    "-1, 5",
    "0, 1",
    "1, 1",
    "2, 2",
    "59, 59",
    "60, 60",
    "61, 60",
    "604800, 60",
    "9223372036854775807, 60"
  })
  void retryAfter(long asked, int seconds) {
    gate.let("alpha").fail(limited(asked));
    assertThat(secondsClosed("alpha")).as("published at once").isEqualTo(seconds);
    assertThat(gate.of("alpha").isBreakerOpen()).isFalse();
    gate.pass(Duration.ofSeconds(seconds).minusNanos(1));
    assertThat(gate.begin("alpha")).isNull();
    gate.ambient.advance(Duration.ofNanos(1));
    assertThat(gate.begin("alpha")).isNotNull();
    gate.publish();
    assertThat(gate.of("alpha").blockedUntilMillis()).isZero();
  }

  @Test
  @DisplayName("waits for the later of two deadlines")
  void later() {
    TrackedAttempt first = gate.let("alpha");
    TrackedAttempt second = gate.let("alpha");
    TrackedAttempt third = gate.let("alpha");
    first.fail(limited(20));
    second.fail(limited(10));
    assertThat(secondsClosed("alpha")).isEqualTo(20);
    third.fail(limited(30));
    gate.publish();
    assertThat(secondsClosed("alpha")).isEqualTo(30);
  }

  @Test
  @DisplayName("is published at once when it closes, and not again by everyone refused meanwhile")
  void onceClosed() {
    var published = new AtomicInteger();
    TrackedAttempt first = gate.let("alpha");
    TrackedAttempt second = gate.let("alpha");
    TrackedAttempt own = gate.letWith("key", "alpha");
    TrackedAttempt sameKey = gate.letWith("key", "alpha");
    gate.health.listen((catalog, statistics) -> published.incrementAndGet());
    first.fail(limited(10));
    second.fail(limited(30));
    assertThat(published).hasValue(1);
    own.fail(limited(10));
    sameKey.fail(limited(30));
    assertThat(published).hasValue(2);
    gate.publish();
    assertThat(published).hasValue(3);
    assertThat(secondsClosed("alpha")).isEqualTo(30);
    assertThat(gate.board.published().keyBlockedUntilMillis("key"))
        .isEqualTo(Gate.START_MILLIS + 30_000);
  }

  @Test
  @DisplayName("of a customer may do at the next endpoint what it may not do at this one")
  void customersForbidden() {
    gate.letWith("key", "alpha").fail(refused(FailureKind.CREDENTIAL, 403, -1));
    assertThat(gate.beginWith("key", "alpha/turbo")).isNotNull();
    assertThat(gate.begin("alpha")).isNotNull();
    assertThat(gate.board.published().keysBlockedUntilMillis()).isEmpty();
  }

  @Test
  @DisplayName("for its rate waits at that endpoint only, and no other credential with it")
  void lane() {
    gate.let("alpha").fail(limited(30));
    assertThat(gate.begin("alpha/turbo")).as("the same provider's other endpoint").isNotNull();
    assertThat(gate.beginWith("key", "alpha")).as("a customer's key").isNotNull();
    gate.letWith("key", "beta").fail(limited(30));
    assertThat(gate.beginWith("key", "beta")).isNull();
    assertThat(gate.beginWith("other", "beta")).isNotNull();
    assertThat(gate.begin("beta")).isNotNull();
    assertThat(gate.board.published().keyBlockedUntilMillis("key"))
        .isEqualTo(Gate.START_MILLIS + 30_000);
    gate.pass(Duration.ofSeconds(30));
    assertThat(gate.beginWith("key", "beta")).isNotNull();
    assertThat(gate.board.published().keysBlockedUntilMillis()).isEmpty();
  }

  @ParameterizedTest(name = "{0}, Retry-After {1}: {2} s")
  @DisplayName("for good is not used for the whole provider for long, unused endpoints included")
  @CsvSource({
    "CREDENTIAL, -1, 300",
    "CREDENTIAL, 3000, 300",
    "QUOTA, -1, 600",
    "QUOTA, 599, 600",
    "QUOTA, 601, 601",
    "QUOTA, 3600, 3600",
    "QUOTA, 86400, 3600"
  })
  void provider(FailureKind kind, long asked, int seconds) {
    gate.let("alpha").fail(refused(kind, 401, asked));
    assertThat(secondsClosed("alpha")).isEqualTo(seconds);
    assertThat(secondsClosed("alpha/turbo")).isEqualTo(seconds);
    assertThat(gate.of("beta").blockedUntilMillis()).isZero();
    assertThat(gate.begin("alpha/turbo")).isNull();
    assertThat(gate.begin("beta")).isNotNull();
    assertThat(gate.beginWith("key", "alpha")).isNotNull();
    gate.pass(Duration.ofSeconds(seconds));
    assertThat(gate.begin("alpha/turbo")).isNotNull();
    assertThat(gate.of("alpha/turbo").blockedUntilMillis()).isZero();
  }

  @Test
  @DisplayName("of a customer costs nobody else anything")
  void customersKey() {
    gate.letWith("key", "alpha").fail(refused(FailureKind.CREDENTIAL, 401, -1));
    assertThat(gate.beginWith("key", "alpha")).isNull();
    assertThat(gate.board.published().keyBlockedUntilMillis("key"))
        .isEqualTo(Gate.START_MILLIS + 300_000);
    assertThat(gate.beginWith("other", "alpha")).isNotNull();
    assertThat(gate.begin("alpha")).isNotNull();
    assertThat(gate.of("alpha")).isEqualTo(EndpointStatistics.NONE);
  }

  @Test
  @DisplayName("with a 403 waits a minute at that endpoint: it may have been about one request")
  void forbidden() {
    gate.let("alpha").fail(refused(FailureKind.CREDENTIAL, 403, -1));
    assertThat(secondsClosed("alpha")).isEqualTo(60);
    assertThat(gate.begin("alpha/turbo")).isNotNull();
  }

  @Test
  @DisplayName("is worth a try when the configuration changed")
  void configured() {
    gate.let("alpha").fail(refused(FailureKind.CREDENTIAL, 401, -1));
    gate.letWith("key", "alpha").fail(refused(FailureKind.QUOTA, 402, -1));
    gate.board = gate.health.healthOf(Gate.catalog("v2"));
    assertThat(gate.begin("alpha")).isNotNull();
    assertThat(gate.of("alpha").blockedUntilMillis()).isZero();
    assertThat(gate.beginWith("key", "alpha")).isNotNull();
    assertThat(gate.board.published().keysBlockedUntilMillis()).isEmpty();
  }

  @Test
  @DisplayName("keeps a broken endpoint closed until both are over")
  void both() {
    TrackedAttempt limited = gate.let("alpha");
    gate.fail("alpha", 5);
    limited.fail(limited(20));
    assertThat(gate.of("alpha").isBreakerOpen()).isTrue();
    assertThat(secondsClosed("alpha")).isEqualTo(20);
    gate.pass(Duration.ofSeconds(6));
    assertThat(gate.begin("alpha")).isNull();
    assertThat(gate.letWith("key", "alpha").isProbe()).isTrue();
  }
}
