package io.strowger.core.plan;

import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;

/**
 * Drops endpoints whose price exceeds the caller's remaining budgets with every usable credential:
 * all of an explicit output limit must fit; without one, a few tokens must. Comes after all rules
 * but the cooldown, so that a caller is asked for money only when nothing else is missing.
 */
final class BudgetRule {
  private BudgetRule() {}

  static Test compile(RuleContext context) {
    RoutingQuery query = context.query();
    if (query.budget() == null && query.budgetWithByok() == null) {
      return Test.KEEPS_ALL;
    }
    long shared = HoldSize.budgetRemaining(query, false);
    if (query.byokKeys().isEmpty()) {
      return endpoint -> !HoldSize.fits(endpoint, query, shared);
    }
    ByokKeyCandidates keys = ByokKeyCandidates.of(context);
    return endpoint -> !HoldSize.fits(endpoint, query, room(endpoint, keys, context));
  }

  /**
   * Returns the most that an attempt at the endpoint may cost, in picodollars; negative if none may
   * be made.
   */
  static long room(Endpoint endpoint, ByokKeyCandidates keys, RuleContext context) {
    long shared =
        keys.excludesGatewayCredential(endpoint)
            ? -1
            : HoldSize.budgetRemaining(context.query(), false);
    return keys.has(endpoint)
        ? Math.max(shared, HoldSize.budgetRemaining(context.query(), true))
        : shared;
  }

  static String reason(Endpoint endpoint, RuleContext context) {
    RoutingQuery query = context.query();
    long room = room(endpoint, ByokKeyCandidates.of(context), context);
    long affordable = HoldSize.affordable(endpoint, query, room);
    return affordable < 0
        ? "the prompt alone may cost more than " + left(query)
        : left(query) + " pays for " + affordable + " output tokens";
  }

  /** Returns the smaller of the query's budgets; zero when it has none. */
  static Usd left(RoutingQuery query) {
    Usd credits = query.budget();
    Usd both = query.budgetWithByok();
    if (credits == null) {
      return both == null ? Usd.ZERO : both;
    }
    return both == null || both.isMoreThan(credits) ? credits : both;
  }
}
