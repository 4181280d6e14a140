package io.strowger.core.attempt;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;

/**
 * An ambient whose sleeps never end. Periodic tasks therefore never run, and are not among the
 * sleepers that a test waits for. Everything else is delegated to the given ambient.
 */
public record EndlessSleepAmbient(Ambient real) implements Ambient {
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
