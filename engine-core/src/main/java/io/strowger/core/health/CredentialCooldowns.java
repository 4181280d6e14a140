package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that are cooling down: the gateway's own by provider, for all endpoints of the
 * provider, and BYOK keys by id, for all endpoints they are used for. Cool-downs of a single
 * endpoint are in {@link EndpointHealth}.
 */
final class CredentialCooldowns {
  /** Maximum number of BYOK keys that are blocked at once; further keys stay usable. */
  static final int MAX_KEYS = 10_000;

  private final Map<String, CredentialCooldown> providers = new ConcurrentHashMap<>();
  private final Map<String, Moment> keys = new ConcurrentHashMap<>();

  /** Returns the cool-down of a provider's credential, to extend it; created when absent. */
  CredentialCooldown getOrCreateCooldown(String slug) {
    return providers.computeIfAbsent(slug, ignored -> new CredentialCooldown());
  }

  /**
   * Blocks a BYOK key until a deadline, and returns whether that blocked a usable key.
   *
   * @param nanos the current time, as of {@link HealthClock#nanos()}
   */
  boolean block(String key, Moment until, long nanos) {
    Moment current = keys.get(key);
    if (current == null && keys.size() >= MAX_KEYS) {
      return false;
    }
    keys.merge(key, until, CredentialCooldowns::later);
    return current == null || current.nanos() <= nanos;
  }

  private static Moment later(Moment first, Moment second) {
    return first.nanos() >= second.nanos() ? first : second;
  }

  /** Returns the cool-down of a provider's credential; null when there was none yet. */
  @Nullable CredentialCooldown cooldownOfProvider(String slug) {
    return providers.isEmpty() ? null : providers.get(slug);
  }

  boolean isBlocked(String key, HealthClock clock) {
    Moment until = keys.get(key);
    return until != null && clock.nanos() < until.nanos();
  }

  /**
   * Ends all cool-downs, since a new configuration may have new credentials under the same names.
   */
  void unblockAll() {
    providers.values().forEach(CredentialCooldown::end);
    keys.clear();
  }

  /**
   * Returns the blocked keys with their deadlines, in epoch milliseconds, and removes expired ones.
   */
  Map<String, Long> blockedKeys(long nanos) {
    var blocked = new HashMap<String, Long>();
    keys.forEach(
        (id, until) -> {
          if (until.nanos() > nanos) {
            blocked.put(id, until.millis());
          } else {
            keys.remove(id, until); // unless it was blocked again meanwhile
          }
        });
    return blocked;
  }

  /**
   * Returns when the next cool-down ends, in the time of {@link HealthClock#nanos()}; {@link
   * Long#MAX_VALUE} when no credential is cooling down.
   */
  long nextChange(long nanos) {
    long earliest = Long.MAX_VALUE;
    for (CredentialCooldown cooldown : providers.values()) {
      Moment until = cooldown.deadlineAfter(nanos);
      earliest = until == null ? earliest : Math.min(earliest, until.nanos());
    }
    for (Moment until : keys.values()) {
      earliest = until.nanos() > nanos ? Math.min(earliest, until.nanos()) : earliest;
    }
    return earliest;
  }
}
