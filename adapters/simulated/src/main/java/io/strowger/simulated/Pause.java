package io.strowger.simulated;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Waits that end early when a call is cancelled. */
final class Pause {
  private Pause() {}

  /** Waits this long, or until cancelled. */
  static void of(Duration time, Ambient ambient, Cancellation cancellation) {
    if (!time.isPositive() || cancellation.isCancelled()) {
      return;
    }
    var over = new CountDownLatch(1);
    Thread timer =
        ambient.start(
            "simulated-pause",
            () -> {
              try {
                ambient.sleep(time);
              } catch (InterruptedException cancelled) {
                return;
              }
              over.countDown();
            });
    await(over, cancellation);
    timer.interrupt(); // the thread belongs to this class and only sleeps
  }

  /** Waits until cancelled. */
  static void untilCancelled(Cancellation cancellation) {
    await(new CountDownLatch(1), cancellation);
  }

  private static void await(CountDownLatch over, Cancellation cancellation) {
    Cancellation.Registration registration = cancellation.onCancel(over::countDown);
    try {
      over.await();
    } catch (InterruptedException hosts) {
      Thread.currentThread().interrupt();
    } finally {
      registration.close();
    }
  }
}
