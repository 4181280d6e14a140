package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.spi.catalog.Endpoint;
import java.time.Instant;

/**
 * Drops endpoints that may not be used until a later time. An endpoint whose breaker is open is
 * blocked for every credential; an endpoint that limits the gateway's rate stays usable with BYOK
 * keys. This is the last rule, since it drops only endpoints that become usable again by waiting.
 */
final class CooldownRule {
  private CooldownRule() {}

  static Test compile(RuleContext context) {
    if (context.statistics().isAllHealthy()) {
      return Test.KEEPS_ALL;
    }
    long now = context.epochMillis();
    ByokKeyCandidates keys = ByokKeyCandidates.of(context);
    if (keys.size() == 0) {
      Statistics statistics = context.statistics();
      return endpoint -> statistics.of(endpoint).blockedUntilMillis() > now;
    }
    return endpoint -> usableFromMillis(endpoint, keys, context) > now;
  }

  /**
   * Returns the time from which requests may be sent to the endpoint, in milliseconds since the
   * epoch. This time is not later than the query's time when requests may be sent now.
   */
  static long usableFromMillis(Endpoint endpoint, RuleContext context) {
    return usableFromMillis(endpoint, ByokKeyCandidates.of(context), context);
  }

  private static long usableFromMillis(
      Endpoint endpoint, ByokKeyCandidates keys, RuleContext context) {
    EndpointStatistics statistics = context.statistics().of(endpoint);
    if (statistics.isBreakerOpen()) {
      return statistics.blockedUntilMillis();
    }
    long byokUsableFromMillis = keys.usableFromMillis(endpoint);
    return keys.excludesGatewayCredential(endpoint)
        ? byokUsableFromMillis
        : Math.min(statistics.blockedUntilMillis(), byokUsableFromMillis);
  }

  static String reason(Endpoint endpoint, RuleContext context) {
    String cause = context.statistics().of(endpoint).isBreakerOpen() ? "failed" : "asks to wait";
    return cause
        + ", is not used before "
        + Instant.ofEpochMilli(usableFromMillis(endpoint, context));
  }
}
