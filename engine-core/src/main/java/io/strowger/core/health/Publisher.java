package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Publishes statistics, one publication at a time. A request that finds another thread publishing
 * does not wait: it sets a flag, and that thread publishes again.
 */
final class Publisher {
  private final Health health;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean isChanged;
  private volatile boolean isRequested;
  private volatile long nextChange = Long.MAX_VALUE; // written under the lock

  // guarded by the lock
  private final List<WeakReference<CatalogHealth>> catalogs = new ArrayList<>();

  @SuppressWarnings("unused") // keeps the health of the current catalog strongly reachable
  private @Nullable CatalogHealth currentCatalog;

  private long sequence;

  Publisher(Health health) {
    this.health = health;
  }

  /** Records that there is something to publish. */
  void markChanged() {
    if (!isChanged) { // avoids a contended write in a busy gateway
      isChanged = true;
    }
  }

  /** Adds the health of a catalog, and publishes to it before returning. */
  void add(CatalogHealth catalogHealth) {
    lock.lock();
    try {
      catalogs.add(new WeakReference<>(catalogHealth));
      currentCatalog = catalogHealth;
      publish();
    } finally {
      lock.unlock();
    }
    publishRequested();
  }

  void publishNow() {
    isRequested = true;
    publishRequested();
  }

  void publishIfDue() {
    if (isChanged || health.clock().nanos() >= nextChange) {
      publishNow();
    }
  }

  private void publishRequested() {
    while (isRequested && lock.tryLock()) {
      try {
        isRequested = false;
        publish();
      } finally {
        lock.unlock();
      }
    }
  }

  private void publish() {
    isChanged = false; // cleared first: later records may or may not be seen below
    Moment now = health.now();
    long next = health.credentialCooldowns().nextChange(now.nanos());
    for (EndpointHealth endpoint : health.endpoints().values()) {
      endpoint.nextStatistics(now);
      next = Math.min(next, endpoint.nextChange());
    }
    nextChange = next;
    Map<String, Long> keys = health.credentialCooldowns().blockedKeys(now.nanos());
    Iterator<WeakReference<CatalogHealth>> references = catalogs.iterator();
    while (references.hasNext()) {
      CatalogHealth catalogHealth = references.next().get();
      if (catalogHealth == null) {
        references.remove();
      } else {
        publish(catalogHealth, now, keys);
      }
    }
  }

  private void publish(CatalogHealth catalogHealth, Moment now, Map<String, Long> keys) {
    Statistics statistics = catalogHealth.nextStatistics(now.nanos(), keys, sequence + 1);
    if (statistics != null) {
      sequence++;
      catalogHealth.publish(statistics);
    }
  }
}
