package io.strowger.core.plan;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the attempts of a request, in order, or finds the reason why there are none. Contract:
 * "Provider preferences" and "Models".
 *
 * <p>Pure, immutable and thread-safe: time is {@link RoutingQuery#at()}, random numbers come from
 * {@link RoutingQuery#seed()}. Created once per catalog, which costs about as much as reading the
 * catalog.
 *
 * <p>The order of mechanisms: the rules of {@link EndpointRuleSet} drop single endpoints; {@link
 * Narrowers} set some of a model's endpoints aside, never the last one; routers choose among the
 * endpoints that are left; {@link Ranking} orders the endpoints within each model, or across all
 * models where the request asks for that; {@link CredentialGroups} makes attempts of the ordered
 * endpoints, the customer's own keys first; last, the list of attempts is cut to what {@code
 * allow_fallbacks} permits and to {@link #MAX_ATTEMPTS}.
 */
public final class Planner {
  /** The maximum number of attempts in one plan. */
  public static final int MAX_ATTEMPTS = 10;

  private final PlanIndex index;
  private final Routers routers;

  /** Creates a planner without routers. */
  public Planner(Catalog catalog) {
    this(catalog, Routers.NONE);
  }

  /**
   * @param routers the routers, prepared for this catalog
   */
  public Planner(Catalog catalog, Routers routers) {
    this.index = new PlanIndex(catalog);
    this.routers = routers;
  }

  /** Returns the plan for a query, without statistics of the endpoints. */
  public RoutePlan plan(RoutingQuery query) {
    return plan(query, Statistics.NONE);
  }

  /**
   * Returns the plan for a query. For unknown names and requirements that no endpoint meets, the
   * plan is a {@link RoutePlan.NoRoute}.
   *
   * @param query the query, made for this planner's catalog and these statistics
   * @param statistics the health and speed of the catalog's endpoints
   * @return the plan; equal, with its trace, for equal queries over equal catalogs
   * @throws IllegalArgumentException when the query is about another catalog or other statistics
   */
  public RoutePlan plan(RoutingQuery query, Statistics statistics) {
    if (!query.catalogVersion().equals(index.catalog().version())) {
      throw new IllegalArgumentException(
          "the query is about catalog "
              + query.catalogVersion()
              + ", this planner has "
              + index.catalog().version());
    }
    if (query.statisticsSequence() != statistics.sequence()) {
      throw new IllegalArgumentException(
          "the query is about statistics "
              + query.statisticsSequence()
              + ", these are "
              + statistics.sequence());
    }
    RequestedModel @Nullable [] requestedModels = ModelNames.resolve(query, index);
    if (requestedModels == null) {
      return new RoutePlan.NoRoute(ModelNames.error(query, index), List::of);
    }
    int admittedTiers = ServiceTierMask.admittedTiers(query, requestedModels[0].admittedTiers());
    var context = new RuleContext(query, index, statistics, admittedTiers);
    var decision = new PlanComputation(routers, context, requestedModels);
    List<PlannedAttempt> attempts = decision.decide();
    if (!attempts.isEmpty()) {
      return new RoutePlan.Attempts(attempts, decision);
    }
    RoutePlan largestPlan = planForLargestContext(context, requestedModels);
    return largestPlan == null
        ? NoRouteExplainer.explain(context, requestedModels, decision)
        : largestPlan;
  }

  /**
   * Plans for the endpoints with the largest context, and the prompt is then compressed to that
   * context. Used when not even half of prompt and output, which {@link ContextLengthRule} asks
   * for, fits any endpoint. Plugins fact sheet, section 9.
   *
   * @return null when compression is off or leaves no endpoint either
   */
  private @Nullable RoutePlan planForLargestContext(
      RuleContext context, RequestedModel[] requestedModels) {
    switch (context.query().compression()) {
      case UNAVAILABLE, OFF -> {
        return null;
      }
      case SMALL_CONTEXTS, ALL -> {}
    }
    int maxContext = 0;
    for (PlannedAttempt candidate :
        new PlanComputation(routers, context.withMinContextToCompressTo(0), requestedModels)
            .decide()) {
      maxContext = Math.max(maxContext, candidate.endpoint().contextLength());
    }
    if (maxContext == 0) {
      return null;
    }
    var decision =
        new PlanComputation(
            routers, context.withMinContextToCompressTo(maxContext), requestedModels);
    List<PlannedAttempt> attempts = decision.decide();
    return attempts.isEmpty() ? null : new RoutePlan.Attempts(attempts, decision);
  }

  /** Returns whether at least one of these candidates needs the prompt compressed. */
  public static boolean needsCompression(List<PlannedAttempt> candidates, RoutingQuery query) {
    if (query.compression() == ContextCompressionScope.UNAVAILABLE
        || query.compression() == ContextCompressionScope.OFF) {
      return false;
    }
    for (int i = 0; i < candidates.size(); i++) {
      if (ContextLengthRule.needsCompression(candidates.get(i).endpoint(), query)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the part of the catalog that an account's rules permit. */
  public AccountView viewOf(AccountRules account) {
    return new AccountView(account, index);
  }
}
