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
  private static final int FORGOTTEN = -1;
  private static final int FEW = 1024;

  private final Map<KeyId, Load> loads = new ConcurrentHashMap<>();
  private volatile int sweepAt = FEW;
  private volatile boolean several;

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
    int addPlaces(int more) {
      return places.addAndGet(more);
    }

    long bytes() {
      return bytes.get();
    }

    /** Adds bytes of bodies, or removes them when the number is negative; returns the new sum. */
    long addBytes(long more) {
      return bytes.addAndGet(more);
    }

    void release() {
      inFlight.decrementAndGet();
    }
  }

  /** Returns whether several keys are in use or expected; never becomes false again. */
  boolean isSeveral() {
    return several;
  }

  void expectSeveral() {
    several = true;
  }

  /**
   * Counts one more request.
   *
   * @return the key's load, to be released when the request ends; null when the key is at its limit
   */
  @Nullable Load tryAcquire(KeyId key, int most) {
    while (true) {
      Load load = loads.get(key);
      if (load == null) {
        load = loads.computeIfAbsent(key, Load::new);
        if (loads.size() > 1) {
          several = true;
        }
        sweep();
      }
      int now = load.inFlight.get();
      while (now != FORGOTTEN) {
        if (now >= most) {
          return null;
        }
        if (load.inFlight.compareAndSet(now, now + 1)) {
          return load;
        }
        now = load.inFlight.get();
      }
      loads.remove(key, load); // another thread has retired it after the look-up
    }
  }

  int inFlight(KeyId key) {
    Load load = loads.get(key);
    return load == null ? 0 : Math.max(0, load.inFlight.get());
  }

  /** Returns how many keys are remembered. */
  int size() {
    return loads.size();
  }

  @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // the map is a concurrent one
  private void sweep() {
    if (loads.size() < sweepAt) {
      return;
    }
    for (Load load : loads.values()) {
      if (load.inFlight.compareAndSet(0, FORGOTTEN)) {
        loads.remove(load.key, load);
      }
    }
    sweepAt = Math.max(FEW, 2 * loads.size());
  }
}
