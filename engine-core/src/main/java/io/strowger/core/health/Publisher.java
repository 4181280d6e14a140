package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes statistics, one publication at a time. A request that finds another thread publishing
 * does not wait: it sets a flag, and that thread publishes again.
 */
final class Publisher {
  private static final Logger log = LoggerFactory.getLogger(Publisher.class);

  private final Health health;
  private final List<Health.Listener> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock publishing = new ReentrantLock();
  private volatile boolean changed;
  private volatile boolean wanted;
  private volatile long nextChange = Long.MAX_VALUE; // written under the lock

  // guarded by the lock
  private final List<WeakReference<CatalogHealth>> boards = new ArrayList<>();

  @SuppressWarnings("unused") // keeps the health of the current catalog strongly reachable
  private @Nullable CatalogHealth current;

  private long sequence;

  Publisher(Health health) {
    this.health = health;
  }

  Health.Registration listen(Health.Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Records that there is something to publish. */
  void changed() {
    if (!changed) { // avoids a contended write in a busy gateway
      changed = true;
    }
  }

  /** Adds the health of a catalog, and publishes to it before returning. */
  void add(CatalogHealth board) {
    publishing.lock();
    try {
      boards.add(new WeakReference<>(board));
      current = board;
      publish();
    } finally {
      publishing.unlock();
    }
    publishWanted();
  }

  void publishNow() {
    wanted = true;
    publishWanted();
  }

  void publishIfDue() {
    if (changed || health.timeline().nanos() >= nextChange) {
      publishNow();
    }
  }

  private void publishWanted() {
    while (wanted && publishing.tryLock()) {
      try {
        wanted = false;
        publish();
      } finally {
        publishing.unlock();
      }
    }
  }

  private void publish() {
    changed = false; // cleared first: later records may or may not be seen below
    Moment now = health.now();
    long next = health.credentialCooldowns().nextChange(now.nanos());
    for (EndpointHealth endpoint : health.endpoints().values()) {
      endpoint.nextStatistics(now);
      next = Math.min(next, endpoint.nextChange());
    }
    nextChange = next;
    Map<String, Long> keys = health.credentialCooldowns().closedKeys(now.nanos());
    Iterator<WeakReference<CatalogHealth>> all = boards.iterator();
    while (all.hasNext()) {
      CatalogHealth board = all.next().get();
      if (board == null) {
        all.remove();
      } else {
        publish(board, now, keys);
      }
    }
  }

  private void publish(CatalogHealth board, Moment now, Map<String, Long> keys) {
    Statistics made = board.nextStatistics(now.nanos(), keys, sequence + 1);
    if (made == null) {
      return;
    }
    sequence++;
    for (Health.Listener listener : listeners) {
      try {
        listener.published(board.catalog(), made);
      } catch (RuntimeException bug) {
        log.error("a listener to endpoint statistics failed", bug);
      }
    }
    board.publish(made);
  }
}
