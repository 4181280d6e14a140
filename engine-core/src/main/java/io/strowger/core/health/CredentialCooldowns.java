package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that are not to be used for a while, beyond one endpoint: the gateway's own by
 * provider, the customers' by id.
 */
final class CredentialCooldowns {
  /** More customers' keys than this are not kept closed at once. */
  static final int MAX_KEYS = 10_000;

  private final Map<String, CredentialCooldown> providers = new ConcurrentHashMap<>();
  private final Map<String, Moment> keys = new ConcurrentHashMap<>();

  /** To extend it: made when there is none. */
  CredentialCooldown ofProvider(String slug) {
    return providers.computeIfAbsent(slug, any -> new CredentialCooldown());
  }

  /**
   * Closes a customer's key; whether it was open.
   *
   * @param nanos now
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

  /** A new configuration may bring new credentials, under the same names: all are worth a try. */
  void configured() {
    providers.values().forEach(CredentialCooldown::end);
    keys.clear();
  }

  /** Until when which keys are closed, in milliseconds since the epoch; forgets the others. */
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

  /** When the first of them may be used again. */
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
