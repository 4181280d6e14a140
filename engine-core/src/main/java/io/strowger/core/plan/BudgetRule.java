package io.strowger.core.plan;

import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;

/**
 * Drops endpoints at which an attempt fits the caller's remaining budgets with no usable
 * credential. An attempt fits when the budget pays for the whole output limit of the request or,
 * without a limit, for a few output tokens. Comes after all rules but the cooldown, so that a
 * caller is asked for money only when nothing else is missing.
 */
final class BudgetRule {
  private BudgetRule() {}

  static Test compile(RuleContext context) {
    RoutingQuery query = context.query();
    if (query.budget() == null && query.budgetWithByok() == null) {
      return Test.KEEPS_ALL;
    }
    long credits = HoldSize.budgetRemaining(query, false);
    if (query.byokKeys().isEmpty()) {
      return endpoint -> !HoldSize.fits(endpoint, query, credits);
    }
    ByokKeyCandidates keys = ByokKeyCandidates.of(context);
    return endpoint -> !HoldSize.fits(endpoint, query, availablePicos(endpoint, keys, context));
  }

  /**
   * Returns the most that an attempt at the endpoint may cost, in picodollars; negative if none may
   * be made.
   */
  static long availablePicos(Endpoint endpoint, ByokKeyCandidates keys, RuleContext context) {
    long credits =
        keys.excludesGatewayCredential(endpoint)
            ? -1
            : HoldSize.budgetRemaining(context.query(), false);
    return keys.hasKeyFor(endpoint)
        ? Math.max(credits, HoldSize.budgetRemaining(context.query(), true))
        : credits;
  }

  static String reason(Endpoint endpoint, RuleContext context) {
    RoutingQuery query = context.query();
    long available = availablePicos(endpoint, ByokKeyCandidates.of(context), context);
    long affordable = HoldSize.affordableTokens(endpoint, query, available);
    return affordable < 0
        ? "the prompt alone may cost more than " + smallestBudget(query)
        : smallestBudget(query) + " pays for " + affordable + " output tokens";
  }

  /** Returns the smaller of the query's budgets; zero when it has none. */
  static Usd smallestBudget(RoutingQuery query) {
    Usd credits = query.budget();
    Usd withByok = query.budgetWithByok();
    if (credits == null) {
      return withByok == null ? Usd.ZERO : withByok;
    }
    return withByok == null || withByok.isMoreThan(credits) ? credits : withByok;
  }
}
