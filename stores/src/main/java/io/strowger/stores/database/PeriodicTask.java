package io.strowger.stores.database;

import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats a task at an interval, on a thread of its own, until it is closed. */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PeriodicTask.class);

  private final Ambient ambient;
  private final Duration interval;
  private final Runnable task;
  private final ReentrantLock lock = new ReentrantLock(); // held while the task runs
  private final Thread thread;
  private boolean closed; // guarded by the lock

  public PeriodicTask(Ambient ambient, String name, Duration interval, Runnable task) {
    this.ambient = ambient;
    this.interval = interval;
    this.task = task;
    this.thread = ambient.startService(name, this::run);
  }

  private void run() {
    do {
      try {
        ambient.sleep(interval);
      } catch (InterruptedException closing) {
        return;
      }
    } while (runOnce());
  }

  private boolean runOnce() {
    lock.lock();
    try {
      if (!closed) {
        task.run();
      }
      return !closed;
    } catch (RuntimeException | Error bug) {
      log.error("{} failed and is repeated", Thread.currentThread().getName(), bug);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Stops the repetition; returns when a run in progress has ended. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    thread.interrupt(); // the thread can only be asleep by now
  }
}
