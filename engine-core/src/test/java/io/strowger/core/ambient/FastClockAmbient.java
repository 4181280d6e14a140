package io.strowger.core.ambient;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** An ambient whose nanosecond clock advances by an hour with each reading. */
public final class FastClockAmbient implements Ambient {
  private final Ambient delegate;
  private final AtomicLong now = new AtomicLong();

  public FastClockAmbient(Ambient delegate) {
    this.delegate = delegate;
  }

  @Override
  public Instant now() {
    return delegate.now();
  }

  @Override
  public long nanoTime() {
    return now.getAndAdd(Duration.ofHours(1).toNanos());
  }

  @Override
  public long seed() {
    return delegate.seed();
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    delegate.sleep(time);
  }

  @Override
  public Thread start(String name, Runnable task) {
    return delegate.start(name, task);
  }

  @Override
  public Thread startService(String name, Runnable task) {
    return delegate.startService(name, task);
  }
}
