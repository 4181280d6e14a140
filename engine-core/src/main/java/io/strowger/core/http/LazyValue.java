package io.strowger.core.http;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is created once, on first use. Safe on any thread. */
final class LazyValue<T> {
  private final Supplier<T> factory;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable T value;

  /**
   * @param factory creates the value; called again after it has thrown
   */
  LazyValue(Supplier<T> factory) {
    this.factory = factory;
  }

  /** Returns the value; waits while another thread creates it. */
  T get() {
    T result = value;
    return result == null ? create() : result;
  }

  private T create() {
    lock.lock();
    try {
      T result = value;
      if (result == null) {
        result = factory.get();
        value = result;
      }
      return result;
    } finally {
      lock.unlock();
    }
  }
}
