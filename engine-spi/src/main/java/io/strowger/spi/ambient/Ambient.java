package io.strowger.spi.ambient;

import java.time.Duration;
import java.time.Instant;

/**
 * Time, random numbers and threads. Everything in the engine takes them from here, so that a test
 * can control all of them.
 *
 * <p>All methods may be called from any thread, also concurrently. None blocks but {@link #sleep}.
 */
public interface Ambient {
  /** Returns the current time. */
  Instant now();

  /** Returns a monotonic time in nanoseconds from an arbitrary origin, for measuring durations. */
  long nanoTime();

  /** Returns 64 random bits, uniformly distributed but predictable: not for secrets. */
  long seed();

  /**
   * Sleeps for a duration.
   *
   * @throws InterruptedException when the thread is interrupted meanwhile
   */
  void sleep(Duration time) throws InterruptedException;

  /** Starts a virtual thread of this name that runs the task. */
  Thread start(String name, Runnable task);

  /**
   * Starts a thread of this name for a service of the gateway itself, such as the one that keeps
   * every deadline. It is a platform thread and a daemon: the operating system gives it its share
   * of the processors however busy the carriers of the virtual threads are. For the few tasks that
   * all requests depend on, never for a single request.
   */
  Thread startService(String name, Runnable task);
}
