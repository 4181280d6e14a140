package io.strowger.spi.ambient;

import java.time.Duration;
import java.time.Instant;

/**
 * The only door to time, chance and threads. Everything in the engine that needs one of them takes
 * it from here, so a test can hold all of them in its hand.
 *
 * <p>All methods may be called from any thread, also concurrently. None blocks but {@link #sleep}.
 */
public interface Ambient {
  /** The time of day. */
  Instant now();

  /** A clock for measuring, in nanoseconds from an arbitrary origin; never runs backwards. */
  long nanoTime();

  /** 64 random bits. Well spread, but no secret may be made of them. */
  long seed();

  /**
   * Waits.
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
   * everybody depends on, never for a single request.
   */
  Thread startService(String name, Runnable task);
}
