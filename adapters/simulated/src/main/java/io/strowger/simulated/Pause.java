package io.strowger.simulated;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Waits that end early when a call is cancelled. */
final class Pause {
  private Pause() {}

  /** Waits this long, or until cancelled. */
  static void waitFor(Duration time, Ambient ambient, Cancellation cancellation) {
    if (!time.isPositive() || cancellation.isCancelled()) {
      return;
    }
    var done = new CountDownLatch(1);
    Thread timer =
        ambient.start(
            "simulated-pause",
            () -> {
              try {
                ambient.sleep(time);
              } catch (InterruptedException interrupted) {
                return;
              }
              done.countDown();
            });
    await(done, cancellation);
    timer.interrupt(); // the thread belongs to this class and only sleeps
  }

  /** Waits until cancelled. */
  static void waitUntilCancelled(Cancellation cancellation) {
    await(new CountDownLatch(1), cancellation);
  }

  private static void await(CountDownLatch done, Cancellation cancellation) {
    Cancellation.Registration registration = cancellation.onCancel(done::countDown);
    try {
      done.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      registration.close();
    }
  }
}
