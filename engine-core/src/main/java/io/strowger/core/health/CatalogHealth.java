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
 * Thread-safe; no method waits.
 */
public final class CatalogHealth {
  private final Health health;
  private final Catalog catalog;
  private final ExactoTiers exactoTiers;
  private final AtomicReferenceArray<@Nullable EndpointHealth> endpointHealth; // by ordinal
  private volatile Statistics published = Statistics.NONE;

  // used by the publisher only

  // by ordinal; of each endpoint alone, without its tier and its provider's cool-down
  private final EndpointStatistics[] ownStatistics;
  private int adoptedCount = -1; // of endpoints in health when they were last adopted

  CatalogHealth(Health health, Catalog catalog) {
    this.health = health;
    this.catalog = catalog;
    this.exactoTiers = new ExactoTiers(health.policy().exacto());
    this.endpointHealth = new AtomicReferenceArray<>(catalog.endpoints().size());
    this.ownStatistics = new EndpointStatistics[catalog.endpoints().size()];
    Arrays.fill(ownStatistics, EndpointStatistics.NONE);
  }

  public Catalog catalog() {
    return catalog;
  }

  /** Returns the latest published statistics. One volatile read. */
  public Statistics published() {
    return published;
  }

  /** Returns how fast an endpoint of this catalog was in the last half hour. */
  public HalfHourSpeeds halfHourSpeeds(Endpoint endpoint) {
    EndpointHealth state = endpointHealth.get(endpoint.ordinal());
    return state == null ? HalfHourSpeeds.NONE : state.halfHourSpeeds(health.clock().nanos());
  }

  /**
   * Begins an attempt at a candidate. Checks the current state of the candidate's endpoint, not the
   * published state.
   *
   * @param candidate the candidate, whose endpoint is of this catalog
   * @return the attempt, which must be ended; null when the request must not be sent, because the
   *     breaker is open, another request is the probe, or the credential is cooling down
   */
  public @Nullable TrackedAttempt begin(PlannedAttempt candidate) {
    Endpoint endpoint = candidate.endpoint();
    EndpointHealth state = healthOf(endpoint);
    String provider = endpoint.provider().slug();
    if (isCoolingDown(candidate.byokKey(), provider, state)) {
      return null;
    }
    Breaker.Pass pass = state.breaker.enter(health.clock());
    if (pass == null) {
      return null;
    }
    if (pass instanceof Breaker.Probe) {
      state.markChanged();
      health.publishNow();
    }
    return new TrackedAttempt(health, state, provider, candidate.byokKey(), pass);
  }

  private boolean isCoolingDown(@Nullable String byokKey, String provider, EndpointHealth state) {
    HealthClock clock = health.clock();
    if (byokKey != null) {
      return health.credentialCooldowns().isBlocked(byokKey, clock);
    }
    CredentialCooldown providerCooldown = health.credentialCooldowns().cooldownOfProvider(provider);
    return state.coolDown.isCoolingDown(clock)
        || (providerCooldown != null && providerCooldown.isCoolingDown(clock));
  }

  private EndpointHealth healthOf(Endpoint endpoint) {
    int ordinal = endpoint.ordinal();
    if (ordinal < 0 || ordinal >= endpointHealth.length()) {
      throw new IllegalArgumentException(endpoint + " is not of this catalog");
    }
    EndpointHealth result = endpointHealth.get(ordinal);
    if (result == null) {
      result = health.endpointHealth(endpoint.id());
      endpointHealth.set(ordinal, result); // all threads set the same object
    }
    return result;
  }

  /** Returns the statistics to publish; null when nothing changed. Called by the publisher only. */
  @Nullable Statistics nextStatistics(long nanos, Map<String, Long> keys, long sequence) {
    adoptKnownEndpoints();
    Statistics previous = published;
    boolean isFirst = previous.sequence() == 0;
    var statistics = new EndpointStatistics[ownStatistics.length];
    for (int i = 0; i < statistics.length; i++) {
      statistics[i] = isFirst ? EndpointStatistics.NONE : previous.at(i);
    }
    boolean changed = isFirst || !keys.equals(previous.keysBlockedUntilMillis());
    for (ModelInfo model : catalog.models()) {
      changed |= refresh(model.endpoints(), nanos, statistics);
    }
    return changed ? Statistics.of(sequence, statistics, keys) : null;
  }

  /** Updates the statistics of one model's endpoints; returns whether any changed. */
  private boolean refresh(List<Endpoint> group, long nanos, EndpointStatistics[] all) {
    boolean isRefreshed = false;
    for (Endpoint endpoint : group) {
      EndpointHealth state = endpointHealth.get(endpoint.ordinal());
      EndpointStatistics current = state == null ? EndpointStatistics.NONE : state.latest();
      isRefreshed |= current != ownStatistics[endpoint.ordinal()];
      ownStatistics[endpoint.ordinal()] = current;
    }
    Exacto[] tiers = isRefreshed ? tiers(group) : null;
    boolean changed = false;
    for (int i = 0; i < group.size(); i++) {
      int ordinal = group.get(i).ordinal();
      EndpointStatistics previous = all[ordinal];
      Exacto tier = tiers == null ? previous.exacto() : tiers[i];
      EndpointStatistics current =
          withTierAndCooldown(ownStatistics[ordinal], tier, group.get(i), nanos);
      if (!current.equals(previous)) {
        all[ordinal] = current;
        changed = true;
      }
    }
    return changed;
  }

  private Exacto[] tiers(List<Endpoint> group) {
    var statistics = new ArrayList<EndpointStatistics>(group.size());
    for (Endpoint endpoint : group) {
      statistics.add(ownStatistics[endpoint.ordinal()]);
    }
    return exactoTiers.of(statistics);
  }

  /** Returns an endpoint's statistics with its Exacto tier and its provider's cool-down. */
  private EndpointStatistics withTierAndCooldown(
      EndpointStatistics statistics, Exacto tier, Endpoint endpoint, long nanos) {
    CredentialCooldown providerCooldown =
        health.credentialCooldowns().cooldownOfProvider(endpoint.provider().slug());
    HealthClock.Moment until =
        providerCooldown == null ? null : providerCooldown.deadlineAfter(nanos);
    if (until == null && tier == statistics.exacto()) {
      return statistics;
    }
    long notBefore = until == null ? 0 : until.millis();
    return statistics.toBuilder()
        .exacto(tier)
        .blockedUntilMillis(Math.max(statistics.blockedUntilMillis(), notBefore))
        .build();
  }

  /** Adopts endpoints that were first used through another catalog of the same gateway. */
  private void adoptKnownEndpoints() {
    int size = health.endpoints().size();
    if (size == adoptedCount) {
      return;
    }
    adoptedCount = size;
    for (Endpoint endpoint : catalog.endpoints()) {
      if (endpointHealth.get(endpoint.ordinal()) == null) {
        EndpointHealth existing = health.endpoints().get(endpoint.id());
        if (existing != null) {
          endpointHealth.set(endpoint.ordinal(), existing);
        }
      }
    }
  }

  /** Makes these statistics the published ones. Called by the publisher only. */
  void publish(Statistics statistics) {
    published = statistics;
  }
}
