package io.strowger.core.attempt;

import io.strowger.core.ambient.ForwardingAmbient;
import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * An ambient whose sleeps never end. Periodic tasks therefore never run, and are not among the
 * sleepers that a test waits for. Everything else is delegated to the given ambient.
 */
public final class EndlessSleepAmbient extends ForwardingAmbient {
  public EndlessSleepAmbient(Ambient real) {
    super(real);
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    new Semaphore(0).acquire();
  }
}
