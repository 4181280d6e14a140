package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that are cooling down for more than one endpoint: the gateway's own by provider,
 * BYOK keys by id.
 */
final class CredentialCooldowns {
  /** Maximum number of BYOK keys that are closed at once; further ones stay open. */
  static final int MAX_KEYS = 10_000;

  private final Map<String, CredentialCooldown> providers = new ConcurrentHashMap<>();
  private final Map<String, Moment> keys = new ConcurrentHashMap<>();

  /** Returns the cool-down of a provider's credential, to extend it; created when absent. */
  CredentialCooldown ofProvider(String slug) {
    return providers.computeIfAbsent(slug, any -> new CredentialCooldown());
  }

  /**
   * Closes a BYOK key until a deadline, and returns whether that closed a key that was open.
   *
   * @param nanos the current time, as of {@link HealthClock#nanos()}
   */
  boolean close(String key, Moment until, long nanos) {
    Moment known = keys.get(key);
    if (known == null && keys.size() >= MAX_KEYS) {
      return false;
    }
    keys.merge(key, until, CredentialCooldowns::later);
    return known == null || known.nanos() <= nanos;
  }

  private static Moment later(Moment known, Moment said) {
    return known.nanos() >= said.nanos() ? known : said;
  }

  @Nullable CredentialCooldown provider(String slug) {
    return providers.isEmpty() ? null : providers.get(slug);
  }

  boolean isClosed(String key, HealthClock time) {
    Moment until = keys.get(key);
    return until != null && time.nanos() < until.nanos();
  }

  /**
   * Opens all credentials, since a new configuration may have new credentials under the same names.
   */
  void configured() {
    providers.values().forEach(CredentialCooldown::end);
    keys.clear();
  }

  /**
   * Returns the closed keys with their deadlines, in epoch milliseconds, and removes expired ones.
   */
  Map<String, Long> closedKeys(long nanos) {
    var closed = new HashMap<String, Long>();
    keys.forEach(
        (id, until) -> {
          if (until.nanos() > nanos) {
            closed.put(id, until.millis());
          } else {
            keys.remove(id, until); // unless it was closed again meanwhile
          }
        });
    return closed;
  }

  /**
   * Returns when the next credential opens, in the time of {@link HealthClock#nanos()}; {@link
   * Long#MAX_VALUE} when none is closed.
   */
  long nextChange(long nanos) {
    long earliest = Long.MAX_VALUE;
    for (CredentialCooldown lane : providers.values()) {
      Moment until = lane.after(nanos);
      earliest = until == null ? earliest : Math.min(earliest, until.nanos());
    }
    for (Moment until : keys.values()) {
      earliest = until.nanos() > nanos ? Math.min(earliest, until.nanos()) : earliest;
    }
    return earliest;
  }
}
