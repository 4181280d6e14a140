package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.ambient.Ambient;
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

  private final TestAmbient time = TestAmbient.at(Gate.START);
  private final Clock clock = new Clock(time);
  private final Health health = new Health(clock, HealthPolicy.STANDARD);
  private final CatalogHealth board = health.healthOf(Gate.catalog("v1"));
  private final PlannedAttempt alpha = PlannedAttempt.of(board.catalog().endpoints().get(0));

  /** Time that passes as it does, and a time of day that somebody sets. */
  private static final class Clock implements Ambient {
    private final TestAmbient real;
    private Duration off = Duration.ZERO;

    Clock(TestAmbient real) {
      this.real = real;
    }

    @Override
    public Instant now() {
      return real.now().minus(off);
    }

    @Override
    public long nanoTime() {
      return real.nanoTime();
    }

    @Override
    public long seed() {
      return real.seed();
    }

    @Override
    public void sleep(Duration some) throws InterruptedException {
      real.sleep(Duration.ofDays(1)); // nothing is published but by the tests
    }

    @Override
    public Thread start(String name, Runnable task) {
      return real.start(name, task);
    }

    @Override
    public Thread startService(String name, Runnable task) {
      return real.startService(name, task);
    }
  }

  @AfterEach
  void close() {
    health.close();
    time.assertNoThreadsLeft();
  }

  private void fail(FailureKind kind, int times) {
    for (int i = 0; i < times; i++) {
      Objects.requireNonNull(board.begin(alpha)).fail(Failure.of(kind, "failed"));
    }
  }

  private EndpointStatistics published() {
    return board.published().of(alpha.endpoint());
  }

  @Test
  @DisplayName("a broken endpoint may be probed when its time is over all the same")
  void broken() {
    fail(FailureKind.UNAVAILABLE, 5);
    clock.off = BACK;
    time.advance(Duration.ofSeconds(5));
    health.publishNow();
    assertThat(published().isBreakerOpen()).isTrue();
    assertThat(published().blockedUntilMillis()).isLessThanOrEqualTo(clock.now().toEpochMilli());
    assertThat(board.begin(alpha)).isNotNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = FailureKind.class,
      names = {"RATE_LIMITED", "CREDENTIAL"})
  @DisplayName("a credential may be used when its time is over all the same")
  void cooling(FailureKind kind) {
    fail(kind, 1);
    clock.off = BACK;
    time.advance(Duration.ofMinutes(5));
    health.publishNow();
    assertThat(published().blockedUntilMillis()).isZero();
    assertThat(board.begin(alpha)).isNotNull();
  }
}
