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
 * An ambient that a test controls. Its time is manual: it stands still until {@link #advance}.
 * Random numbers are the same sequence in every run; the threads that were started are tracked.
 *
 * <p>Tests over real sockets use {@link #realTime()}, whose time is the system's; everything else
 * is the same. Safe on any thread.
 */
public final class TestAmbient implements Ambient {
  /**
   * How long an assertion waits for other threads: far more than they need, even on a busy machine.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Thread> alive = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final @Nullable Instant origin; // null: real time
  private long elapsed; // nanoseconds since the origin
  private final Map<Thread, Long> wakeTimes = new HashMap<>(); // in nanoseconds since the origin
  private Duration timeOfDayOffset = Duration.ZERO; // the sum of all steps of the time of day
  private long randomState;

  private final Duration patience;

  private TestAmbient(@Nullable Instant origin, Duration patience) {
    this.origin = origin;
    this.patience = patience;
  }

  /**
   * Returns an ambient whose time stands still at this instant until a test advances it.
   *
   * @param instant such as {@code 2026-01-05T23:59:59Z}
   */
  public static TestAmbient at(String instant) {
    return new TestAmbient(Instant.parse(instant), PATIENCE);
  }

  /** Returns an ambient with real time. */
  public static TestAmbient realTime() {
    return new TestAmbient(null, PATIENCE);
  }

  /**
   * Returns a new ambient whose assertions wait no longer than this; for tests of the assertions
   * themselves.
   */
  TestAmbient withPatience(Duration time) {
    return new TestAmbient(origin, time);
  }

  @Override
  public Instant now() {
    if (origin == null) {
      return Instant.now();
    }
    lock.lock();
    try {
      return origin.plus(timeOfDayOffset).plusNanos(elapsed);
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

  /** Returns the next number of a fixed sequence: the outputs of SplitMix64 with the seed zero. */
  @Override
  public long seed() {
    lock.lock();
    try {
      randomState += 0x9E3779B97F4A7C15L;
      long z = (randomState ^ (randomState >>> 30)) * 0xBF58476D1CE4E5B9L;
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
      wakeTimes.put(Thread.currentThread(), due);
      changed.signalAll();
      try {
        while (elapsed < due) {
          changed.await();
        }
      } finally {
        wakeTimes.remove(Thread.currentThread());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Moves time forward at once and wakes every thread whose sleep is over. Manual time only. */
  public void advance(Duration by) {
    if (origin == null) {
      throw new IllegalStateException("real time cannot be advanced");
    }
    if (by.isNegative()) {
      throw new IllegalArgumentException("time cannot be moved back, was " + by);
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
   * Steps the time of day forward, or back when negative, as an operator may; {@link #nanoTime}
   * does not change. Manual time only.
   */
  public void stepTimeOfDay(Duration by) {
    if (origin == null) {
      throw new IllegalStateException("the time of day cannot be stepped in real time");
    }
    lock.lock();
    try {
      timeOfDayOffset = timeOfDayOffset.plus(by);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, in real time, until at least this many threads sleep. Call it before {@link #advance},
   * which wakes only threads that already sleep. A thread that {@link #advance} has woken is not
   * counted until it sleeps again, so its work is then done. Manual time only.
   */
  public void awaitSleepers(int atLeast) {
    if (!await(() -> countSleeping() >= atLeast)) {
      Assertions.fail("expected %d sleeping threads, found %d", atLeast, sleepers());
    }
  }

  /**
   * Waits, in real time, until the thread of this name sleeps, like {@link #awaitSleepers}. Manual
   * time only.
   */
  public void awaitSleep(String thread) {
    awaitSleep(thread, 1);
  }

  /**
   * Waits, in real time, until several threads of one name sleep, such as those of several gateways
   * that share this ambient. Manual time only.
   *
   * @param atLeast the number of threads to wait for
   */
  public void awaitSleep(String thread, int atLeast) {
    if (!await(() -> countSleeping(thread) >= atLeast)) {
      Assertions.fail("expected %d sleeping threads named %s", atLeast, thread);
    }
  }

  private int countSleeping(String name) {
    int count = 0;
    for (Map.Entry<Thread, Long> one : wakeTimes.entrySet()) {
      count += one.getKey().getName().equals(name) && one.getValue() > elapsed ? 1 : 0;
    }
    return count;
  }

  /** Returns how many threads sleep now. Manual time only. */
  public int sleepers() {
    lock.lock();
    try {
      return countSleeping();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether all threads of this ambient are idle until time advances or another thread
   * acts: each sleeps, or waits without a time limit. A thread whose sleep is over is not idle,
   * even if it has not run yet. Manual time only.
   */
  public boolean allIdle() {
    lock.lock();
    try {
      for (Thread thread : alive) {
        @Nullable Long due = wakeTimes.get(thread);
        if (due == null ? thread.getState() != Thread.State.WAITING : due <= elapsed) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private int countSleeping() {
    int count = 0;
    for (long due : wakeTimes.values()) {
      count += due > elapsed ? 1 : 0;
    }
    return count;
  }

  @Override
  public Thread start(String name, Runnable task) {
    return track(Thread.ofVirtual().name(name).unstarted(() -> run(name, task)));
  }

  @Override
  public Thread startService(String name, Runnable task) {
    return track(Thread.ofPlatform().daemon().name(name).unstarted(() -> run(name, task)));
  }

  private Thread track(Thread thread) {
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
    @Nullable Throwable failure = null;
    try {
      task.run();
    } catch (Throwable t) {
      failure = t;
    }
    lock.lock();
    try {
      if (failure != null) {
        failures.add(name + " died of " + failure);
      }
      alive.remove(Thread.currentThread());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Throws an {@link AssertionError} that names the threads of this ambient which are still alive
   * after the assertion's waiting time, and those that died of an exception.
   */
  public void assertNoThreadsLeft() {
    await(alive::isEmpty);
    lock.lock();
    try {
      var findings = new ArrayList<String>(failures);
      for (Thread thread : alive) {
        var stack = thread.getStackTrace();
        findings.add(thread.getName() + (stack.length == 0 ? "" : " is in " + stack[0]));
      }
      Assertions.assertThat(findings)
          .as("threads that are still alive or died of an exception")
          .isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the check holds. Waits in real time even if the time of this ambient is manual. */
  private boolean await(Check check) {
    long nanosLeft = patience.toNanos();
    lock.lock();
    try {
      while (!check.holds() && nanosLeft > 0) {
        nanosLeft = changed.awaitNanos(nanosLeft);
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
