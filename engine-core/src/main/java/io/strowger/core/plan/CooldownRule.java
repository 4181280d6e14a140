package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.routing.CustomerKey;
import java.time.Instant;
import java.util.List;

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
    long now = scope.atMillis();
    return scope.statistics().allWell()
        ? Test.KEEPS_ALL
        : endpoint -> opensAt(endpoint, scope) > now;
  }

  /**
   * From when on something may be sent to the endpoint, in milliseconds since the epoch; not after
   * the query's own moment when it may be now.
   */
  static long opensAt(Endpoint endpoint, Scope scope) {
    EndpointStatistics statistics = scope.statistics().of(endpoint);
    if (statistics.broken()) {
      return statistics.notBefore();
    }
    long shared = statistics.notBefore();
    long own = Long.MAX_VALUE;
    List<CustomerKey> keys = scope.query().customerKeys();
    for (int i = 0; i < keys.size(); i++) {
      if (isFor(keys.get(i), endpoint, scope)) {
        own = Math.min(own, scope.statistics().keyNotBefore(keys.get(i).id()));
        shared = keys.get(i).alwaysUse() ? Long.MAX_VALUE : shared;
      }
    }
    return Math.min(shared, own);
  }

  private static boolean isFor(CustomerKey key, Endpoint endpoint, Scope scope) {
    List<String> models = key.models();
    return scope.catalog().providerOrdinal(key.provider()) == endpoint.providerOrdinal()
        && (models == null || models.contains(endpoint.model()));
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
