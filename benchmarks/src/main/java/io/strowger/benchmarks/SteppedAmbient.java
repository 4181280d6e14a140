package io.strowger.benchmarks;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;

/**
 * An ambient whose time passes only in sleeps, and whose background work runs on demand: {@link
 * #runOnce} does, on the measuring thread, what a background thread does between two sleeps. Not
 * thread-safe.
 */
final class SteppedAmbient implements Ambient {
  private long nanos = 1;
  private int rounds;
  private Runnable background = () -> {};

  @Override
  public Instant now() {
    return PlanQueries.NOW.plusNanos(nanos);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public long seed() {
    return nanos;
  }

  /** Advances the time; throws when the round is over, which ends the background work. */
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

  /** Runs the background work for one round, which begins with its next sleep. */
  void runOnce() {
    rounds = 1;
    background.run();
  }
}
