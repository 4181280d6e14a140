package io.strowger.core.ambient;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;

/** The system's clock, random numbers and threads. */
public final class SystemAmbient implements Ambient {
  @Override
  public Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long seed() {
    return ThreadLocalRandom.current().nextLong();
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }

  @Override
  public Thread start(String name, Runnable task) {
    return Thread.ofVirtual().name(name).start(task);
  }

  @Override
  public Thread startService(String name, Runnable task) {
    return Thread.ofPlatform().daemon().name(name).start(task);
  }
}
