package io.strowger.benchmarks;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;

/**
 * Time that passes only when somebody sleeps, and background work that is done when it is asked
 * for: what a background thread would do between two sleeps, on the thread that measures it. Not
 * for several threads.
 */
final class SteppedAmbient implements Ambient {
  private long nanos = 1;
  private int rounds;
  private Runnable background = () -> {};

  @Override
  public Instant now() {
    return PlanQueries.AT.plusNanos(nanos);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public long seed() {
    return nanos;
  }

  /** Ends the background work when its round is over. */
  @Override
  public void sleep(Duration time) throws InterruptedException {
    if (rounds == 0) {
      throw new InterruptedException("one round is over");
    }
    rounds--;
    nanos += time.toNanos();
  }

  @Override
  public Thread start(String name, Runnable task) {
    background = task;
    return Thread.ofVirtual().name(name).unstarted(task);
  }

  @Override
  public Thread startService(String name, Runnable task) {
    return start(name, task);
  }

  /** Does what the background thread does once, after its next sleep. */
  void round() {
    rounds = 1;
    background.run();
  }
}
