package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.ForwardingAmbient;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("When the time of day is put back an hour")
class TimeOfDayTest {
  private static final Duration BACK = Duration.ofHours(1);

  private final TestAmbient time = TestAmbient.at(HealthFixture.START);
  private final ChangedClock clock = new ChangedClock(time);
  private final Health health = new Health(clock, HealthPolicy.STANDARD);
  private final CatalogHealth catalogHealth = health.healthOf(HealthFixture.catalog("v1"));
  private final PlannedAttempt alpha =
      PlannedAttempt.of(catalogHealth.catalog().endpoints().get(0));

  /** A clock whose time of day the test puts back, while elapsed time passes normally. */
  private static final class ChangedClock extends ForwardingAmbient {
    private Duration putBack = Duration.ZERO;

    ChangedClock(TestAmbient real) {
      super(real);
    }

    @Override
    public Instant now() {
      return super.now().minus(putBack);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      super.sleep(Duration.ofDays(1)); // only the tests publish
    }
  }

  @AfterEach
  void close() {
    health.close();
    time.assertNoThreadsLeft();
  }

  private void fail(FailureKind kind, int times) {
    for (int i = 0; i < times; i++) {
      Objects.requireNonNull(catalogHealth.begin(alpha)).fail(Failure.of(kind, "failed"));
    }
  }

  private EndpointStatistics published() {
    return catalogHealth.published().of(alpha.endpoint());
  }

  @Test
  @DisplayName("an endpoint with an open breaker may still be probed when its cool-down is over")
  void openBreaker() {
    fail(FailureKind.UNAVAILABLE, 5);
    clock.putBack = BACK;
    time.advance(Duration.ofSeconds(5));
    health.publishNow();
    assertThat(published().isBreakerOpen()).isTrue();
    assertThat(published().blockedUntilMillis()).isLessThanOrEqualTo(clock.now().toEpochMilli());
    assertThat(catalogHealth.begin(alpha)).isNotNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = FailureKind.class,
      names = {"RATE_LIMITED", "CREDENTIAL"})
  @DisplayName("a blocked credential may still be used when its cool-down is over")
  void blockedCredential(FailureKind kind) {
    fail(kind, 1);
    clock.putBack = BACK;
    time.advance(Duration.ofMinutes(5));
    health.publishNow();
    assertThat(published().blockedUntilMillis()).isZero();
    assertThat(catalogHealth.begin(alpha)).isNotNull();
  }
}
