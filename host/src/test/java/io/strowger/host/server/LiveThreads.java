package io.strowger.host.server;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The system's clock and threads; it keeps the threads so that a test can await their end. */
final class LiveThreads implements Ambient {
  private final Ambient system = new SystemAmbient();
  private final Set<Thread> live = ConcurrentHashMap.newKeySet();
  private final AtomicLong ahead = new AtomicLong(); // nanoseconds

  /** Advances {@code nanoTime} at once. Sleeping threads are not woken. */
  void advance(Duration time) {
    ahead.addAndGet(time.toNanos());
  }

  /** Waits for all threads to end; returns whether they did within the time. */
  boolean awaitEnd(Duration within) throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    for (Thread thread : live) {
      if (!thread.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())))) {
        return false;
      }
    }
    return true;
  }

  /** Waits for a thread of a name to start and end; returns whether it did within the time. */
  boolean awaitEnd(String name, Duration within) throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    while (System.nanoTime() < until) {
      for (Thread thread : live) {
        if (thread.getName().equals(name)) {
          return thread.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        }
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** A replacement for {@link Ambient#sleep}. */
  interface Sleep {
    void of(Duration time) throws InterruptedException;
  }

  /** Returns an ambient with the same clock and threads that sleeps in another way. */
  Ambient sleepingIn(Sleep sleep) {
    return new Ambient() {
      @Override
      public Instant now() {
        return LiveThreads.this.now();
      }

      @Override
      public long nanoTime() {
        return LiveThreads.this.nanoTime();
      }

      @Override
      public long seed() {
        return LiveThreads.this.seed();
      }

      @Override
      public void sleep(Duration time) throws InterruptedException {
        sleep.of(time);
      }

      @Override
      public Thread start(String name, Runnable task) {
        return LiveThreads.this.start(name, task);
      }

      @Override
      public Thread startService(String name, Runnable task) {
        return LiveThreads.this.startService(name, task);
      }
    };
  }

  @Override
  public Thread start(String name, Runnable task) {
    Thread thread = system.start(name, task);
    live.add(thread);
    return thread;
  }

  @Override
  public Thread startService(String name, Runnable task) {
    Thread thread = system.startService(name, task);
    live.add(thread);
    return thread;
  }

  @Override
  public Instant now() {
    return system.now();
  }

  @Override
  public long nanoTime() {
    return system.nanoTime() + ahead.get();
  }

  @Override
  public long seed() {
    return system.seed();
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    system.sleep(time);
  }
}
