package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A credential that was refused")
class CredentialCooldownTest {
  private final HealthFixture fixture = new HealthFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Failure refusal(FailureKind kind, int status, long retryAfter) {
    return new Failure(kind, status, retryAfter, "refused");
  }

  private static Failure rateLimited(long retryAfter) {
    return refusal(FailureKind.RATE_LIMITED, 429, retryAfter);
  }

  private long secondsBlocked(String tag) {
    return (fixture.statistics(tag).blockedUntilMillis() - HealthFixture.START_MILLIS) / 1_000;
  }

  @ParameterizedTest(name = "Retry-After {0}: {1} s")
  @DisplayName(
      "because of its rate is blocked for the time in Retry-After, between 1 and 60 s, or for 5 s "
          + "without it")
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
  void retryAfter(long retryAfterSeconds, int seconds) {
    fixture.beginPermitted("alpha").fail(rateLimited(retryAfterSeconds));
    assertThat(secondsBlocked("alpha")).as("published at once").isEqualTo(seconds);
    assertThat(fixture.statistics("alpha").isBreakerOpen()).isFalse();
    fixture.advance(Duration.ofSeconds(seconds).minusNanos(1));
    assertThat(fixture.begin("alpha")).isNull();
    fixture.ambient.advance(Duration.ofNanos(1));
    assertThat(fixture.begin("alpha")).isNotNull();
    fixture.publish();
    assertThat(fixture.statistics("alpha").blockedUntilMillis()).isZero();
  }

  @Test
  @DisplayName("is blocked until the latest of its deadlines")
  void later() {
    TrackedAttempt first = fixture.beginPermitted("alpha");
    TrackedAttempt second = fixture.beginPermitted("alpha");
    TrackedAttempt third = fixture.beginPermitted("alpha");
    first.fail(rateLimited(20));
    second.fail(rateLimited(10));
    assertThat(secondsBlocked("alpha")).isEqualTo(20);
    third.fail(rateLimited(30));
    fixture.publish();
    assertThat(secondsBlocked("alpha")).isEqualTo(30);
  }

  @Test
  @DisplayName("is published at once when it is blocked, and not again for each refusal meanwhile")
  void publishedOnce() {
    TrackedAttempt first = fixture.beginPermitted("alpha");
    TrackedAttempt second = fixture.beginPermitted("alpha");
    TrackedAttempt byokAttempt = fixture.beginPermittedWith("key", "alpha");
    TrackedAttempt sameKey = fixture.beginPermittedWith("key", "alpha");
    long sequence = fixture.catalogHealth.published().sequence();
    first.fail(rateLimited(10));
    second.fail(rateLimited(30));
    assertThat(fixture.catalogHealth.published().sequence()).isEqualTo(sequence + 1);
    byokAttempt.fail(rateLimited(10));
    sameKey.fail(rateLimited(30));
    assertThat(fixture.catalogHealth.published().sequence()).isEqualTo(sequence + 2);
    fixture.publish();
    assertThat(fixture.catalogHealth.published().sequence()).isEqualTo(sequence + 3);
    assertThat(secondsBlocked("alpha")).isEqualTo(30);
    assertThat(fixture.catalogHealth.published().keyBlockedUntilMillis("key"))
        .isEqualTo(HealthFixture.START_MILLIS + 30_000);
  }

  @Test
  @DisplayName("with a 403 and is a BYOK key is not blocked at other endpoints")
  void customersForbidden() {
    fixture.beginPermittedWith("key", "alpha").fail(refusal(FailureKind.CREDENTIAL, 403, -1));
    assertThat(fixture.beginWith("key", "alpha/turbo")).isNotNull();
    assertThat(fixture.begin("alpha")).isNotNull();
    assertThat(fixture.catalogHealth.published().keysBlockedUntilMillis()).isEmpty();
  }

  @Test
  @DisplayName(
      "because of its rate is blocked at that endpoint only, and blocks no other credential")
  void oneEndpoint() {
    fixture.beginPermitted("alpha").fail(rateLimited(30));
    assertThat(fixture.begin("alpha/turbo")).as("the same provider's other endpoint").isNotNull();
    assertThat(fixture.beginWith("key", "alpha")).as("a customer's key").isNotNull();
    fixture.beginPermittedWith("key", "beta").fail(rateLimited(30));
    assertThat(fixture.beginWith("key", "beta")).isNull();
    assertThat(fixture.beginWith("other", "beta")).isNotNull();
    assertThat(fixture.begin("beta")).isNotNull();
    assertThat(fixture.catalogHealth.published().keyBlockedUntilMillis("key"))
        .isEqualTo(HealthFixture.START_MILLIS + 30_000);
    fixture.advance(Duration.ofSeconds(30));
    assertThat(fixture.beginWith("key", "beta")).isNotNull();
    assertThat(fixture.catalogHealth.published().keysBlockedUntilMillis()).isEmpty();
  }

  @ParameterizedTest(name = "{0}, Retry-After {1}: {2} s")
  @DisplayName(
      "as invalid or out of quota is blocked at all endpoints of the provider, unused ones "
          + "included")
  @CsvSource({
    "CREDENTIAL, -1, 300",
    "CREDENTIAL, 3000, 300",
    "QUOTA, -1, 600",
    "QUOTA, 599, 600",
    "QUOTA, 601, 601",
    "QUOTA, 3600, 3600",
    "QUOTA, 86400, 3600"
  })
  void provider(FailureKind kind, long retryAfterSeconds, int seconds) {
    fixture.beginPermitted("alpha").fail(refusal(kind, 401, retryAfterSeconds));
    assertThat(secondsBlocked("alpha")).isEqualTo(seconds);
    assertThat(secondsBlocked("alpha/turbo")).isEqualTo(seconds);
    assertThat(fixture.statistics("beta").blockedUntilMillis()).isZero();
    assertThat(fixture.begin("alpha/turbo")).isNull();
    assertThat(fixture.begin("beta")).isNotNull();
    assertThat(fixture.beginWith("key", "alpha")).isNotNull();
    fixture.advance(Duration.ofSeconds(seconds));
    assertThat(fixture.begin("alpha/turbo")).isNotNull();
    assertThat(fixture.statistics("alpha/turbo").blockedUntilMillis()).isZero();
  }

  @Test
  @DisplayName("and is a BYOK key blocks no other credential")
  void customersKey() {
    fixture.beginPermittedWith("key", "alpha").fail(refusal(FailureKind.CREDENTIAL, 401, -1));
    assertThat(fixture.beginWith("key", "alpha")).isNull();
    assertThat(fixture.catalogHealth.published().keyBlockedUntilMillis("key"))
        .isEqualTo(HealthFixture.START_MILLIS + 300_000);
    assertThat(fixture.beginWith("other", "alpha")).isNotNull();
    assertThat(fixture.begin("alpha")).isNotNull();
    assertThat(fixture.statistics("alpha")).isEqualTo(EndpointStatistics.NONE);
  }

  @Test
  @DisplayName(
      "with a 403 is blocked for a minute at that endpoint, since the 403 may concern one request")
  void forbidden() {
    fixture.beginPermitted("alpha").fail(refusal(FailureKind.CREDENTIAL, 403, -1));
    assertThat(secondsBlocked("alpha")).isEqualTo(60);
    assertThat(fixture.begin("alpha/turbo")).isNotNull();
  }

  @Test
  @DisplayName("may be used again when the configuration changed")
  void configured() {
    fixture.beginPermitted("alpha").fail(refusal(FailureKind.CREDENTIAL, 401, -1));
    fixture.beginPermittedWith("key", "alpha").fail(refusal(FailureKind.QUOTA, 402, -1));
    fixture.catalogHealth = fixture.health.healthOf(HealthFixture.catalog("v2"));
    assertThat(fixture.begin("alpha")).isNotNull();
    assertThat(fixture.statistics("alpha").blockedUntilMillis()).isZero();
    assertThat(fixture.beginWith("key", "alpha")).isNotNull();
    assertThat(fixture.catalogHealth.published().keysBlockedUntilMillis()).isEmpty();
  }

  @Test
  @DisplayName(
      "stays blocked when the breaker permits a probe, which another credential may then make")
  void both() {
    TrackedAttempt limited = fixture.beginPermitted("alpha");
    fixture.fail("alpha", 5);
    limited.fail(rateLimited(20));
    assertThat(fixture.statistics("alpha").isBreakerOpen()).isTrue();
    assertThat(secondsBlocked("alpha")).isEqualTo(20);
    fixture.advance(Duration.ofSeconds(6));
    assertThat(fixture.begin("alpha")).isNull();
    assertThat(fixture.beginPermittedWith("key", "alpha").isProbe()).isTrue();
  }
}
