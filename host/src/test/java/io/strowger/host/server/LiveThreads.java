package io.strowger.host.server;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The machine's own clock and threads, and a list of the threads that have not ended. */
final class LiveThreads implements Ambient {
  private final Ambient system = new SystemAmbient();
  private final Set<Thread> live = ConcurrentHashMap.newKeySet();
  private final AtomicLong ahead = new AtomicLong(); // nanoseconds

  /** Moves time on at once, for whoever measures it. Nobody who sleeps is woken. */
  void advance(Duration time) {
    ahead.addAndGet(time.toNanos());
  }

  /** Waits for all threads to end; true when they did within the time. */
  boolean ended(Duration within) throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    for (Thread thread : live) {
      if (!thread.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())))) {
        return false;
      }
    }
    return true;
  }

  /** Waits for a thread of a name to begin and to end; true when it did within the time. */
  boolean ended(String name, Duration within) throws InterruptedException {
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

  /** Waits in another way. */
  interface Sleep {
    void of(Duration time) throws InterruptedException;
  }

  /** The same clock and threads, which wait in another way. */
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
