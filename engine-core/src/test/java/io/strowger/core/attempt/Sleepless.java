package io.strowger.core.attempt;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;

/**
 * The time of another ambient, in which nobody ever wakes by himself: whoever would act now and
 * then acts only when he is told to, and does not count among those who wait for time to pass.
 */
public record Sleepless(Ambient real) implements Ambient {
  @Override
  public Instant now() {
    return real.now();
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
  public void sleep(Duration time) throws InterruptedException {
    new Semaphore(0).acquire();
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
