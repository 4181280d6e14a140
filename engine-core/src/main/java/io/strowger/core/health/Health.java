package io.strowger.core.health;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.health.HealthClock.Moment;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of a gateway's endpoints. Created once per gateway: the observations of an endpoint
 * are kept under its id, so they outlive the catalogs that name it. Requests report through {@link
 * CatalogHealth#begin}, decisions read {@link CatalogHealth#published}.
 *
 * <p>Reporting takes no lock, and allocates only on the first request to an endpoint. One
 * background thread checks four times a second whether there is anything to publish; when nothing
 * happened, that costs two reads.
 *
 * <p>Memory: an endpoint that was never used costs nothing, one that was used about 4 kB, and one
 * that is busy in every half minute at most 48 kB. Hence 2,000 endpoints cost at most 96 MB, and 8
 * MB when they are idle. An endpoint that had no request for a day is dropped when {@link
 * #healthOf} is called with a catalog that does not name it.
 */
public final class Health implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Health.class);

  private final Ambient ambient;
  private final HealthPolicy policy;
  private final HealthClock clock;
  private final CredentialCooldowns credentialCooldowns = new CredentialCooldowns();
  private final Map<String, EndpointHealth> endpoints = new ConcurrentHashMap<>();
  private final Publisher publisher;
  private final Thread thread;
  private volatile boolean isClosed;

  public Health(Ambient ambient, HealthPolicy policy) {
    this.ambient = ambient;
    this.policy = policy;
    this.clock = new HealthClock(ambient);
    this.publisher = new Publisher(this);
    this.thread = ambient.startService("strowger-health", this::run);
  }

  /**
   * Creates the health of a catalog's endpoints. The health of earlier catalogs is updated as long
   * as it is referenced. Ends the cool-downs of BYOK keys and of the gateway's credentials for
   * whole providers, since a new configuration may bring new credentials.
   */
  public CatalogHealth healthOf(Catalog catalog) {
    credentialCooldowns.unblockAll();
    removeUnlisted(catalog);
    var catalogHealth = new CatalogHealth(this, catalog);
    publisher.add(catalogHealth);
    return catalogHealth;
  }

  /** Forgets idle endpoints that the new catalog does not name. */
  private void removeUnlisted(Catalog catalog) {
    Set<String> listedIds = new HashSet<>();
    for (Endpoint endpoint : catalog.endpoints()) {
      listedIds.add(endpoint.id());
    }
    long now = clock.nanos();
    Iterator<Map.Entry<String, EndpointHealth>> entries = endpoints.entrySet().iterator();
    while (entries.hasNext()) {
      var entry = entries.next();
      if (!listedIds.contains(entry.getKey()) && entry.getValue().isForgettable(now)) {
        entries.remove();
      }
    }
  }

  private void run() {
    while (!isClosed) {
      try {
        ambient.sleep(policy.publishInterval());
      } catch (InterruptedException e) {
        return;
      }
      try {
        publisher.publishIfDue();
      } catch (RuntimeException | Error bug) {
        log.error("publishing endpoint statistics failed and is repeated", bug);
      }
    }
  }

  /** Stops publishing; requests under way may still report. */
  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
    ThreadJoiner.joinUninterruptibly(thread);
  }

  HealthPolicy policy() {
    return policy;
  }

  HealthClock clock() {
    return clock;
  }

  CredentialCooldowns credentialCooldowns() {
    return credentialCooldowns;
  }

  /** Returns the endpoints used so far, by id. */
  Map<String, EndpointHealth> endpoints() {
    return endpoints;
  }

  EndpointHealth endpointHealth(String endpointId) {
    EndpointHealth existing = endpoints.get(endpointId);
    return existing != null
        ? existing
        : endpoints.computeIfAbsent(endpointId, ignored -> new EndpointHealth(policy));
  }

  /** Records a change that may wait for the next publication. */
  void markChanged() {
    publisher.markChanged();
  }

  /** Publishes a change that decisions should see at once. */
  void publishNow() {
    if (!isClosed) {
      publisher.publishNow();
    }
  }

  Moment now() {
    return clock.now();
  }

  /** Returns the approximate heap bytes kept for the endpoints used so far. */
  long bytes() {
    return endpoints.values().stream().mapToLong(EndpointHealth::bytes).sum();
  }
}
