package io.strowger.core.ambient;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Time flies: an hour passes between two looks at the clock. The rest is as given. */
public final class HurriedAmbient implements Ambient {
  private final Ambient of;
  private final AtomicLong now = new AtomicLong();

  public HurriedAmbient(Ambient of) {
    this.of = of;
  }

  @Override
  public Instant now() {
    return of.now();
  }

  @Override
  public long nanoTime() {
    return now.getAndAdd(Duration.ofHours(1).toNanos());
  }

  @Override
  public long seed() {
    return of.seed();
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    of.sleep(time);
  }

  @Override
  public Thread start(String name, Runnable task) {
    return of.start(name, task);
  }

  @Override
  public Thread startService(String name, Runnable task) {
    return of.startService(name, task);
  }
}
