package io.strowger.core.ambient;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** An ambient whose nanosecond clock advances by an hour with each reading. */
public final class FastClockAmbient extends ForwardingAmbient {
  private final AtomicLong now = new AtomicLong();

  public FastClockAmbient(Ambient delegate) {
    super(delegate);
  }

  @Override
  public long nanoTime() {
    return now.getAndAdd(Duration.ofHours(1).toNanos());
  }
}
