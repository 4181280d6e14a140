package io.strowger.core.ambient;

import io.strowger.spi.ambient.Ambient;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;

/** The machine's own clock, chance and threads. */
public final class SystemAmbient implements Ambient {
  private final SecureRandom random = new SecureRandom();

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long seed() {
    return random.nextLong();
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }

  @Override
  public Thread start(String name, Runnable task) {
    return Thread.ofVirtual().name(name).start(task);
  }
}
