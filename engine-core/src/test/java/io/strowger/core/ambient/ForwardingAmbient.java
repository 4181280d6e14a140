package io.strowger.core.ambient;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** An ambient that forwards every call to another one; tests override single methods. */
public class ForwardingAmbient implements Ambient {
  private final Ambient ambient;

  protected ForwardingAmbient(Ambient ambient) {
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  @Override
  public Instant now() {
    return ambient.now();
  }

  @Override
  public long nanoTime() {
    return ambient.nanoTime();
  }

  @Override
  public long seed() {
    return ambient.seed();
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    ambient.sleep(time);
  }

  @Override
  public Thread start(String name, Runnable task) {
    return ambient.start(name, task);
  }

  @Override
  public Thread startService(String name, Runnable task) {
    return ambient.startService(name, task);
  }
}
