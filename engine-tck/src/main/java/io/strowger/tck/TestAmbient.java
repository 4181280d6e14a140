package io.strowger.tck;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/**
 * Time, chance and threads in the hand of a test. Time stands still until {@link #advance}; chance
 * is the same sequence in every run; threads are counted by name.
 *
 * <p>For tests over real sockets there is {@link #realTime()}: time passes by itself there, the
 * rest is the same. All methods may be called from any thread.
 */
public final class TestAmbient implements Ambient {
  /** How long an assertion waits for other threads: far more than they need, on a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Thread> alive = new ArrayList<>();
  private final List<String> deaths = new ArrayList<>();
  private final @Nullable Instant origin; // null: real time
  private long elapsed; // nanoseconds since the origin
  private final Map<Thread, Long> dues = new HashMap<>(); // when each sleeping thread is to wake
  private Duration stepped = Duration.ZERO; // how far the time of day was set
  private long chance;

  private final Duration patience;

  private TestAmbient(@Nullable Instant origin, Duration patience) {
    this.origin = origin;
    this.patience = patience;
  }

  /**
   * Time that stands still at this moment.
   *
   * @param instant such as {@code 2026-01-05T23:59:59Z}
   */
  public static TestAmbient at(String instant) {
    return new TestAmbient(Instant.parse(instant), PATIENCE);
  }

  /** Time as it is. */
  public static TestAmbient realTime() {
    return new TestAmbient(null, PATIENCE);
  }

  /** A new ambient whose assertions give up sooner: to test that they fail. */
  TestAmbient waitingAtMost(Duration time) {
    return new TestAmbient(origin, time);
  }

  @Override
  public Instant now() {
    if (origin == null) {
      return Instant.now();
    }
    lock.lock();
    try {
      return origin.plus(stepped).plusNanos(elapsed);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long nanoTime() {
    if (origin == null) {
      return System.nanoTime();
    }
    lock.lock();
    try {
      return elapsed;
    } finally {
      lock.unlock();
    }
  }

  /** The next of a fixed sequence: the outputs of SplitMix64 seeded with zero. */
  @Override
  public long seed() {
    lock.lock();
    try {
      chance += 0x9E3779B97F4A7C15L;
      long z = (chance ^ (chance >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      return z ^ (z >>> 31);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    if (origin == null) {
      Thread.sleep(time);
      return;
    }
    lock.lockInterruptibly();
    try {
      long due = Math.addExact(elapsed, Math.max(0, time.toNanos()));
      dues.put(Thread.currentThread(), due);
      changed.signalAll();
      try {
        while (elapsed < due) {
          changed.await();
        }
      } finally {
        dues.remove(Thread.currentThread());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Moves time forward at once; whoever sleeps until then or less wakes. */
  public void advance(Duration by) {
    if (origin == null) {
      throw new IllegalStateException("real time passes by itself");
    }
    if (by.isNegative()) {
      throw new IllegalArgumentException("time never runs backwards, was " + by);
    }
    lock.lock();
    try {
      elapsed = Math.addExact(elapsed, by.toNanos());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets the time of day forward, or back when negative, as an operator may; no time passes by it.
   * Manual time only.
   */
  public void stepTimeOfDay(Duration by) {
    if (origin == null) {
      throw new IllegalStateException("real time is not ours to set");
    }
    lock.lock();
    try {
      stepped = stepped.plus(by);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, in real time, until this many threads sleep: a test that advances before its subject
   * sleeps would wake nobody. Who was woken by {@link #advance} sleeps no more, so what it did
   * since is done when it sleeps again. Manual time only.
   */
  public void awaitSleepers(int atLeast) {
    if (!await(() -> asleep() >= atLeast)) {
      Assertions.fail("expected %d sleeping threads, found %d", atLeast, sleepers());
    }
  }

  /**
   * Waits, in real time, until the thread of this name sleeps, as {@link #awaitSleepers}: then what
   * it does when it wakes can be told from what it did before. Manual time only.
   */
  public void awaitSleep(String thread) {
    awaitSleep(thread, 1);
  }

  /**
   * Waits until several threads of one name sleep, such as those of several gateways in one time.
   *
   * @param atLeast how many of them
   */
  public void awaitSleep(String thread, int atLeast) {
    if (!await(() -> asleep(thread) >= atLeast)) {
      Assertions.fail("expected %d threads %s that sleep", atLeast, thread);
    }
  }

  private int asleep(String name) {
    int asleep = 0;
    for (Map.Entry<Thread, Long> one : dues.entrySet()) {
      asleep += one.getKey().getName().equals(name) && one.getValue() > elapsed ? 1 : 0;
    }
    return asleep;
  }

  /** How many threads sleep now. Manual time only. */
  public int sleepers() {
    lock.lock();
    try {
      return asleep();
    } finally {
      lock.unlock();
    }
  }

  /**
   * True when nobody started here does anything before time moves on or another thread acts: each
   * sleeps or waits without a limit. A thread whose time to wake has come is at work, also before
   * it has got a processor. Manual time only.
   */
  public boolean allWait() {
    lock.lock();
    try {
      for (Thread thread : alive) {
        @Nullable Long due = dues.get(thread);
        if (due == null ? thread.getState() != Thread.State.WAITING : due <= elapsed) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private int asleep() {
    int asleep = 0;
    for (long due : dues.values()) {
      asleep += due > elapsed ? 1 : 0;
    }
    return asleep;
  }

  @Override
  public Thread start(String name, Runnable task) {
    return started(Thread.ofVirtual().name(name).unstarted(() -> run(name, task)));
  }

  @Override
  public Thread startService(String name, Runnable task) {
    return started(Thread.ofPlatform().daemon().name(name).unstarted(() -> run(name, task)));
  }

  private Thread started(Thread thread) {
    lock.lock();
    try {
      alive.add(thread);
    } finally {
      lock.unlock();
    }
    thread.start();
    return thread;
  }

  private void run(String name, Runnable task) {
    @Nullable Throwable death = null;
    try {
      task.run();
    } catch (Throwable t) {
      death = t;
    }
    lock.lock();
    try {
      if (death != null) {
        deaths.add(name + " died of " + death);
      }
      alive.remove(Thread.currentThread());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Fails when a thread started here is still running after a while, or when one died of an
   * exception; names them.
   */
  public void assertNoThreadsLeft() {
    await(alive::isEmpty);
    lock.lock();
    try {
      var findings = new ArrayList<String>(deaths);
      for (Thread thread : alive) {
        var stack = thread.getStackTrace();
        findings.add(thread.getName() + (stack.length == 0 ? "" : " is in " + stack[0]));
      }
      Assertions.assertThat(findings).as("threads left or lost").isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Waits in real time, however time is kept here: threads of a test do not wait for its clock. */
  private boolean await(Check check) {
    long left = patience.toNanos();
    lock.lock();
    try {
      while (!check.holds() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return check.holds();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private interface Check {
    boolean holds();
  }
}
