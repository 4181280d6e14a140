package io.strowger.core.health;

import io.strowger.core.health.EndpointStatistics.Exacto;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The health of one catalog's endpoints: requests report to it and decisions read from it.
 * Thread-safe, and without waiting.
 */
public final class CatalogHealth {
  private final Health health;
  private final Catalog catalog;
  private final ExactoTiers exacto;
  private final AtomicReferenceArray<@Nullable EndpointHealth> known; // by ordinal
  private volatile Statistics published = Statistics.NONE;

  // used by the publisher only
  // of each endpoint alone, without its tier and its provider's cool-down
  private final EndpointStatistics[] own;
  private int knownEndpoints = -1;

  CatalogHealth(Health health, Catalog catalog) {
    this.health = health;
    this.catalog = catalog;
    this.exacto = new ExactoTiers(health.policy().exacto());
    this.known = new AtomicReferenceArray<>(catalog.endpoints().size());
    this.own = new EndpointStatistics[catalog.endpoints().size()];
    Arrays.fill(own, EndpointStatistics.NONE);
  }

  public Catalog catalog() {
    return catalog;
  }

  /** Returns the latest published statistics. One volatile read. */
  public Statistics published() {
    return published;
  }

  /** Returns how fast an endpoint of this catalog was in the last half hour. */
  public HalfHourSpeeds halfHour(Endpoint endpoint) {
    EndpointHealth state = known.get(endpoint.ordinal());
    return state == null ? HalfHourSpeeds.NONE : state.halfHour(health.timeline().nanos());
  }

  /**
   * Begins an attempt at a candidate. Checks the current state of its endpoint, not the published
   * one.
   *
   * @param candidate the candidate, whose endpoint is of this catalog
   * @return the attempt, which must be ended; null when the request must not be sent, because the
   *     breaker is open, another request is the probe, or the credential is cooling down
   */
  public @Nullable TrackedAttempt begin(PlannedAttempt candidate) {
    Endpoint endpoint = candidate.endpoint();
    EndpointHealth state = of(endpoint);
    String provider = endpoint.provider().slug();
    if (isCooling(candidate.byokKey(), provider, state)) {
      return null;
    }
    Breaker.Pass pass = state.breaker.enter(health.timeline());
    if (pass == null) {
      return null;
    }
    if (pass instanceof Breaker.Probe) {
      state.changed();
      health.publishNow();
    }
    return new TrackedAttempt(health, state, provider, candidate.byokKey(), pass);
  }

  private boolean isCooling(@Nullable String byokKey, String provider, EndpointHealth state) {
    HealthClock time = health.timeline();
    if (byokKey != null) {
      return health.credentialCooldowns().isClosed(byokKey, time);
    }
    CredentialCooldown whole = health.credentialCooldowns().provider(provider);
    return state.coolDown.isCooling(time) || (whole != null && whole.isCooling(time));
  }

  private EndpointHealth of(Endpoint endpoint) {
    int ordinal = endpoint.ordinal();
    if (ordinal < 0 || ordinal >= known.length()) {
      throw new IllegalArgumentException(endpoint + " is not of this catalog");
    }
    EndpointHealth found = known.get(ordinal);
    if (found == null) {
      found = health.of(endpoint.id());
      known.set(ordinal, found); // all threads set the same object
    }
    return found;
  }

  /** Returns the statistics to publish; null when nothing changed. Called by the publisher only. */
  @Nullable Statistics nextStatistics(long nanos, Map<String, Long> keys, long sequence) {
    adoptKnownEndpoints();
    Statistics before = published;
    boolean first = before.sequence() == 0;
    var all = new EndpointStatistics[own.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = first ? EndpointStatistics.NONE : before.at(i);
    }
    boolean changed = first || !keys.equals(before.keysNotBefore());
    for (ModelInfo model : catalog.models()) {
      changed |= refresh(model.endpoints(), nanos, all);
    }
    return changed ? Statistics.of(sequence, all, keys) : null;
  }

  /** Updates the statistics of one model's endpoints; returns whether any changed. */
  private boolean refresh(List<Endpoint> group, long nanos, EndpointStatistics[] all) {
    boolean compare = false;
    for (Endpoint endpoint : group) {
      EndpointHealth state = known.get(endpoint.ordinal());
      EndpointStatistics now = state == null ? EndpointStatistics.NONE : state.latest();
      compare |= now != own[endpoint.ordinal()];
      own[endpoint.ordinal()] = now;
    }
    Exacto[] tiers = compare ? tiers(group) : null;
    boolean changed = false;
    for (int i = 0; i < group.size(); i++) {
      int ordinal = group.get(i).ordinal();
      EndpointStatistics before = all[ordinal];
      Exacto tier = tiers == null ? before.exacto() : tiers[i];
      EndpointStatistics now = complete(own[ordinal], tier, group.get(i), nanos);
      if (!now.equals(before)) {
        all[ordinal] = now;
        changed = true;
      }
    }
    return changed;
  }

  private Exacto[] tiers(List<Endpoint> group) {
    var statistics = new ArrayList<EndpointStatistics>(group.size());
    for (Endpoint endpoint : group) {
      statistics.add(own[endpoint.ordinal()]);
    }
    return exacto.of(statistics);
  }

  /** Returns an endpoint's statistics with its Exacto tier and its provider's cool-down. */
  private EndpointStatistics complete(
      EndpointStatistics one, Exacto tier, Endpoint endpoint, long nanos) {
    CredentialCooldown whole = health.credentialCooldowns().provider(endpoint.provider().slug());
    HealthClock.Moment until = whole == null ? null : whole.after(nanos);
    if (until == null && tier == one.exacto()) {
      return one;
    }
    long notBefore = until == null ? 0 : until.millis();
    return one.toBuilder()
        .exacto(tier)
        .notBefore(Math.max(one.closedUntilMillis(), notBefore))
        .build();
  }

  /** Adopts endpoints that were first used through another catalog of the same gateway. */
  private void adoptKnownEndpoints() {
    int size = health.endpoints().size();
    if (size == knownEndpoints) {
      return;
    }
    knownEndpoints = size;
    for (Endpoint endpoint : catalog.endpoints()) {
      if (known.get(endpoint.ordinal()) == null) {
        EndpointHealth found = health.endpoints().get(endpoint.id());
        if (found != null) {
          known.set(endpoint.ordinal(), found);
        }
      }
    }
  }

  /** Makes these statistics the published ones. Called by the publisher only. */
  void publish(Statistics made) {
    published = made;
  }
}
