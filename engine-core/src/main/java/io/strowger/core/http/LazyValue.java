package io.strowger.core.http;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is created once, on first use. Safe on any thread. */
final class LazyValue<T> {
  private final Supplier<T> maker;
  private final ReentrantLock making = new ReentrantLock();
  private volatile @Nullable T made;

  /**
   * @param maker creates the value; called again after it has thrown
   */
  LazyValue(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns the value; waits while another thread creates it. */
  T get() {
    T known = made;
    return known == null ? make() : known;
  }

  private T make() {
    making.lock();
    try {
      T known = made;
      if (known == null) {
        known = maker.get();
        made = known;
      }
      return known;
    } finally {
      making.unlock();
    }
  }
}
