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

  private Watchdog.Watch watch(Watchdog dog, Cancellation request, Duration total) {
    return new Watchdog.Watch(
        dog, request, ambient.nanoTime() + total.toNanos(), new Object(), () -> {});
  }

  @Test
  @DisplayName("goes on keeping deadlines when ending a request throws")
  void throwingAction() throws InterruptedException {
    try (var dog = new Watchdog(ambient)) {
      var bad = new Cancellation();
      var badSeen = new CountDownLatch(1);
      bad.onCancel(
          () -> {
            badSeen.countDown();
            throw new IllegalStateException("cannot be cancelled");
          });
      dog.add(watch(dog, bad, Duration.ofSeconds(1)));
      var good = new Cancellation();
      var goodSeen = new CountDownLatch(1);
      good.onCancel(goodSeen::countDown);
      dog.add(watch(dog, good, Duration.ofSeconds(2)));
      ambient.awaitSleepers(1);
      ambient.advance(Duration.ofSeconds(1));
      assertThat(badSeen.await(10, TimeUnit.SECONDS)).isTrue();
      ambient.awaitSleepers(1);
      assertThat(good.isCancelled()).as("before its time").isFalse();
      ambient.advance(Duration.ofSeconds(1));
      ambient.awaitSleepers(1);
      ambient.advance(TICK);
      assertThat(goodSeen.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(good.cause()).isEqualTo(Cancellation.Cause.TOTAL);
    }
    ambient.assertNoThreadsLeft();
  }
}
