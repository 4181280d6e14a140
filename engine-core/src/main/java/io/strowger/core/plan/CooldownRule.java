package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.time.Instant;

/**
 * Drops endpoints nothing is to be sent to before a moment that has not come. An endpoint that
 * failed is closed for everybody; one that limits the gateway's rate is open to customers' own
 * keys. The last rule: it drops only what time alone brings back.
 */
final class CooldownRule implements Rule {
  @Override
  public String name() {
    return "cooldown";
  }

  @Override
  public Test compile(Scope scope) {
    if (scope.statistics().allWell()) {
      return Test.KEEPS_ALL;
    }
    long now = scope.atMillis();
    OwnKeys keys = OwnKeys.of(scope);
    if (keys.size() == 0) {
      Statistics statistics = scope.statistics();
      return endpoint -> statistics.of(endpoint).notBefore() > now;
    }
    return endpoint -> opensAt(endpoint, keys, scope) > now;
  }

  /**
   * From when on something may be sent to the endpoint, in milliseconds since the epoch; not after
   * the query's own moment when it may be now.
   */
  static long opensAt(Endpoint endpoint, Scope scope) {
    return opensAt(endpoint, OwnKeys.of(scope), scope);
  }

  private static long opensAt(Endpoint endpoint, OwnKeys keys, Scope scope) {
    EndpointStatistics statistics = scope.statistics().of(endpoint);
    if (statistics.broken()) {
      return statistics.notBefore();
    }
    long own = keys.opensAt(endpoint);
    return keys.reserve(endpoint) ? own : Math.min(statistics.notBefore(), own);
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    String why = scope.statistics().of(endpoint).broken() ? "failed" : "asks to wait";
    return why + ", is not used before " + Instant.ofEpochMilli(opensAt(endpoint, scope));
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.TEMPORARILY_UNAVAILABLE;
  }

  @Override
  public boolean passes() {
    return true;
  }

  @Override
  public Subject subject() {
    return Subject.HEALTH;
  }
}
