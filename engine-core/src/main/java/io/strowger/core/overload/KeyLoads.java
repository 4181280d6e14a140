package io.strowger.core.overload;

import io.strowger.spi.store.KeyId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many requests of each key are in flight, waiting ones included, how many of them have a
 * place, and how many bytes their bodies have. A key that was idle when many others came is
 * forgotten, so what is kept follows the keys in use. Safe on any thread; takes no lock but on the
 * first request of a key.
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

    /** Counts a place more, or less; returns how many there are then. */
    int addPlaces(int more) {
      return places.addAndGet(more);
    }

    long bytes() {
      return bytes.get();
    }

    /** Counts more bytes of its bodies, or less; returns how many they are then. */
    long addBytes(long more) {
      return bytes.addAndGet(more);
    }

    void leave() {
      inFlight.decrementAndGet();
    }
  }

  /** Whether requests of more than one key came, or are expected. Never false again. */
  boolean isSeveral() {
    return several;
  }

  void expectSeveral() {
    several = true;
  }

  /**
   * Counts one more request.
   *
   * @return what counts it, to be left again; null when the key has as many as it may
   */
  @Nullable Load enter(KeyId key, int most) {
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
      loads.remove(key, load); // it was forgotten between the look and the count
    }
  }

  int inFlight(KeyId key) {
    Load load = loads.get(key);
    return load == null ? 0 : Math.max(0, load.inFlight.get());
  }

  /** How many keys are remembered. */
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
