package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.TreeSet;

/**
 * What a caller reads when everything that could be used must not be used yet: when the first of it
 * opens again. Too many requests alone are 429, otherwise it is 503.
 *
 * @param providers whose endpoints wait, in the order of their slugs
 * @param opensAt when the first one opens, in milliseconds since the epoch
 * @param failed one of them failed; the others only limit how much is sent to them
 */
record CooldownRefusal(RuleContext context, TreeSet<String> providers, long opensAt, boolean failed) {
  private static final long MILLIS = 1000;

  /**
   * @param cooldown the rule that closes them
   */
  static CooldownRefusal of(
      List<UnroutableModel> models, EndpointRule cooldown, RuleContext context) {
    var providers = new TreeSet<String>();
    long opensAt = Long.MAX_VALUE;
    boolean failed = false;
    for (UnroutableModel model : models) {
      for (Endpoint endpoint : model.takenBy(cooldown)) {
        providers.add(endpoint.provider().slug());
        opensAt = Math.min(opensAt, CooldownRule.opensAt(endpoint, context));
        failed |= context.statistics().of(endpoint).isBreakerOpen();
      }
    }
    return new CooldownRefusal(context, providers, opensAt, failed);
  }

  GatewayError error(String detail) {
    ErrorCode code = failed ? ErrorCode.TEMPORARILY_UNAVAILABLE : ErrorCode.CAPACITY_EXHAUSTED;
    long seconds = Math.ceilDiv(opensAt - context.atMillis(), MILLIS);
    return GatewayError.of(code, code.message() + ": " + detail)
        .withRetryAfter(seconds)
        .withAvailability(
            Availability.of(code, context.query().models())
                .with("retry_after", Json.of(seconds))
                .with("affected_providers", Json.array(providers.stream().map(Json::of).toList())));
  }
}
