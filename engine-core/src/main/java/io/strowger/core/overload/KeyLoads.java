package io.strowger.core.overload;

import io.strowger.spi.store.KeyId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts, for each key, the requests in flight (waiting ones included), those that have a place,
 * and the bytes of their bodies. Idle keys are removed when the table has grown large. Safe on any
 * thread; takes no lock except on the first request of a key.
 */
final class KeyLoads {
  private static final int REMOVED = -1;
  private static final int MIN_SWEEP_SIZE = 1024;

  private final Map<KeyId, Load> loads = new ConcurrentHashMap<>();
  private volatile int sweepSize = MIN_SWEEP_SIZE;
  private volatile boolean severalKeys;

  /** The requests of one key. */
  static final class Load {
    private final KeyId key;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    private Load(KeyId key) {
      this.key = key;
    }

    KeyId key() {
      return key;
    }

    int inFlight() {
      return inFlight.get();
    }

    int places() {
      return places.get();
    }

    /** Adds places, or removes them when the number is negative; returns the new number. */
    int addPlaces(int delta) {
      return places.addAndGet(delta);
    }

    long bytes() {
      return bytes.get();
    }

    /** Adds bytes of bodies, or removes them when the number is negative; returns the new sum. */
    long addBytes(long delta) {
      return bytes.addAndGet(delta);
    }

    void release() {
      inFlight.decrementAndGet();
    }
  }

  /** Returns whether several keys are in use or expected; never becomes false again. */
  boolean hasSeveralKeys() {
    return severalKeys;
  }

  void expectSeveralKeys() {
    severalKeys = true;
  }

  /**
   * Counts one more request.
   *
   * @return the key's load, to be released when the request ends; null when the key is at its limit
   */
  @Nullable Load tryAcquire(KeyId key, int max) {
    while (true) {
      Load load = loads.get(key);
      if (load == null) {
        load = loads.computeIfAbsent(key, Load::new);
        if (loads.size() > 1) {
          severalKeys = true;
        }
        sweep();
      }
      int count = load.inFlight.get();
      while (count != REMOVED) {
        if (count >= max) {
          return null;
        }
        if (load.inFlight.compareAndSet(count, count + 1)) {
          return load;
        }
        count = load.inFlight.get();
      }
      loads.remove(key, load); // sweep() has retired it since the look-up
    }
  }

  int inFlight(KeyId key) {
    Load load = loads.get(key);
    return load == null ? 0 : Math.max(0, load.inFlight.get());
  }

  @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // the map is a concurrent one
  private void sweep() {
    if (loads.size() < sweepSize) {
      return;
    }
    for (Load load : loads.values()) {
      if (load.inFlight.compareAndSet(0, REMOVED)) {
        loads.remove(load.key, load);
      }
    }
    sweepSize = Math.max(MIN_SWEEP_SIZE, 2 * loads.size());
  }
}
