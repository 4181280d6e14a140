package io.strowger.core.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The watchdog")
class WatchdogTest {
  private static final Duration TICK = Duration.ofMillis(10);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");

  private Watchdog.Watch watch(Watchdog watchdog, Cancellation request, Duration total) {
    return new Watchdog.Watch(
        watchdog, request, ambient.nanoTime() + total.toNanos(), new Object(), () -> {});
  }

  @Test
  @DisplayName("keeps enforcing deadlines after the cancellation of a request throws")
  void throwingAction() throws InterruptedException {
    try (var watchdog = new Watchdog(ambient)) {
      var failing = new Cancellation();
      var failingCancelled = new CountDownLatch(1);
      failing.onCancel(
          () -> {
            failingCancelled.countDown();
            throw new IllegalStateException("cannot be cancelled");
          });
      watchdog.add(watch(watchdog, failing, Duration.ofSeconds(1)));
      var healthy = new Cancellation();
      var healthyCancelled = new CountDownLatch(1);
      healthy.onCancel(healthyCancelled::countDown);
      watchdog.add(watch(watchdog, healthy, Duration.ofSeconds(2)));
      ambient.awaitSleepers(1);
      ambient.advance(Duration.ofSeconds(1));
      assertThat(failingCancelled.await(10, TimeUnit.SECONDS)).isTrue();
      ambient.awaitSleepers(1);
      assertThat(healthy.isCancelled()).as("before its deadline").isFalse();
      ambient.advance(Duration.ofSeconds(1));
      ambient.awaitSleepers(1);
      ambient.advance(TICK);
      assertThat(healthyCancelled.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(healthy.cause()).isEqualTo(Cancellation.Cause.TOTAL);
    }
    ambient.assertNoThreadsLeft();
  }
}
