package io.strowger.core.plan;

import io.strowger.core.routing.RoutePlan.NoRoute;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.plugin.Selection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds the error for a request that no endpoint can serve. If the request names models, the error
 * is that of the rules that dropped the last endpoints of these models. If it names only routers,
 * the error is the router's refusal, unless only the budget or a cooldown keeps the router from
 * choosing. A router's veto takes precedence. The message tells a person what to change; {@code
 * error.availability} tells a program.
 */
final class NoRouteExplainer {
  private static final long MILLIS_PER_SECOND = 1000;
  private static final int MAX_REASONS = 3;

  /** The maximum number of models that the message names one by one. */
  private static final int MAX_MODELS = 5;

  private final RuleContext context;
  private final RoutingQuery query;
  private final List<Unroutable> models;
  private @Nullable Usd neededAmount;

  private NoRouteExplainer(RuleContext context, List<Unroutable> models) {
    this.context = context;
    this.query = context.query();
    this.models = models;
  }

  static NoRoute explain(
      RuleContext context, RequestedModel[] requestedModels, PlanComputation decision) {
    RoutingQuery query = context.query();
    Selection.Refusal refusal = decision.refusal();
    if (refusal != null && decision.isVetoed()) {
      return new NoRoute(refusalError(refusal, query), decision);
    }
    ListedOrder order = query.preferences().allowFallbacks() ? ListedOrder.NONE : decision.order();
    var unroutables = new ArrayList<Unroutable>();
    for (RequestedModel requestedModel : requestedModels) {
      if (requestedModel.model() != null) {
        unroutables.add(
            new Unroutable(requestedModel.model(), decision.explainer(requestedModel), order));
      }
    }
    if (unroutables.isEmpty()) {
      for (RequestedModel requestedModel : requestedModels) {
        RuleExplainer rules = decision.explainer(requestedModel);
        for (ModelEndpoints model : decision.routerChoices(requestedModel, rules)) {
          unroutables.add(new Unroutable(model, rules, order));
        }
      }
      unroutables.sort(Comparator.comparing(Unroutable::id));
      if (refusal != null && unroutables.stream().noneMatch(Unroutable::mayPass)) {
        return new NoRoute(refusalError(refusal, query), decision);
      }
    }
    var explainer = new NoRouteExplainer(context, unroutables);
    GatewayError error = explainer.error();
    Usd neededAmount = error.code() == ErrorCode.PAYMENT_REQUIRED ? explainer.neededAmount : null;
    return new NoRoute(error, neededAmount, decision);
  }

  private static GatewayError refusalError(Selection.Refusal refusal, RoutingQuery query) {
    String reason = refusal.reason().isBlank() ? refusal.code().message() : refusal.reason();
    GatewayError error = GatewayError.of(refusal.code(), reason);
    return refusal.code().status() == 404
        ? error.withAvailability(Availability.of(refusal.code(), query.models()))
        : error;
  }

  private GatewayError error() {
    var sentences = new ArrayList<String>();
    var lastRules = new LinkedHashSet<EndpointRule>();
    var excludedBy = new LinkedHashSet<String>();
    for (Unroutable model : models) {
      EndpointRule rule = model.lastRule();
      if (sentences.size() < MAX_MODELS) {
        sentences.add(rule == null ? noRuleMessage(model) : ruleMessage(model, rule));
      }
      if (rule != null) {
        lastRules.add(rule);
        addWords(model, rule, excludedBy);
      }
    }
    if (models.size() > MAX_MODELS) {
      sentences.add("and " + (models.size() - MAX_MODELS) + " more models");
    }
    return error(Unroutable.last(lastRules), String.join("; ", sentences), excludedBy);
  }

  private GatewayError error(@Nullable EndpointRule last, String detail, Set<String> excludedBy) {
    if (last == null) {
      return noRuleError(detail);
    }
    ErrorCode code = last.errorCode();
    if (last.equals(EndpointRuleSet.UNKNOWN_PART)) {
      return GatewayError.of(code, List.of(UnknownPartRule.problem(context, detail)));
    }
    String member = query.reasoningOffMember();
    if (code == ErrorCode.INVALID_REQUEST && member != null) {
      return GatewayError.of(code, List.of(mustReason(member, detail)));
    }
    if (code == ErrorCode.PAYMENT_REQUIRED) {
      return GatewayError.of(code, paymentRequiredMessage(last));
    }
    if (code == ErrorCode.TEMPORARILY_UNAVAILABLE) {
      return coolingDown(last, detail);
    }
    GatewayError error = unavailable(code, detail + last.advice(context));
    return error.withAvailability(
        withConstraint(error.availability(), last, error.message(), excludedBy));
  }

  /** Returns the problem of a request that turns reasoning off for a model that always reasons. */
  private static Problem mustReason(String member, String detail) {
    return new Problem(
        JsonPointer.ROOT.child(member), "must not turn reasoning off: " + detail, "");
  }

  private GatewayError unavailable(ErrorCode code, String detail) {
    return GatewayError.of(code, detail.isEmpty() ? code.message() : code.message() + ": " + detail)
        .withAvailability(Availability.of(code, query.models()));
  }

  /**
   * Adds the contract's words of every rule that drops an endpoint which {@code last} was the first
   * to drop, since lifting one rule may not be enough.
   */
  private static void addWords(Unroutable model, EndpointRule last, Set<String> words) {
    for (Endpoint endpoint : model.firstDroppedBy(last)) {
      model.rulesDropping(endpoint).forEach(rule -> rule.excludedBy().ifPresent(words::add));
    }
  }

  private static Json.Obj withConstraint(
      Json.Obj availability, EndpointRule last, String detail, Set<String> excludedBy) {
    Json.Obj result = availability.with("constraint", constraint(last.name(), detail));
    return excludedBy.isEmpty() ? result : result.with("excluded_by", Json.strings(excludedBy));
  }

  private static Json constraint(String field, String detail) {
    return Json.object().put("field", field).put("detail", detail).build();
  }

  /**
   * Returns the error when no rule dropped an endpoint: there is no endpoint, or the order excludes
   * all.
   */
  private GatewayError noRuleError(String detail) {
    GatewayError error = unavailable(ErrorCode.NO_ENDPOINTS, detail);
    return models.stream().allMatch(Unroutable::hasNoEndpoints)
        ? error
        : error.withAvailability(
            error.availability().with("constraint", constraint("provider.order", detail)));
  }

  private String noRuleMessage(Unroutable model) {
    return model.hasNoEndpoints()
        ? model.id() + " has no endpoint"
        : model.id()
            + " is served by "
            + model.providers()
            + "; provider.order lists "
            + NameFormatter.format(query.preferences().order())
            + (model.isUnlisted() ? "" : ", but other endpoints suit the request better")
            + ", and provider.allow_fallbacks is false";
  }

  private String ruleMessage(Unroutable model, EndpointRule last) {
    var message = new StringBuilder(model.id() + " is served by " + model.providers());
    for (EndpointRule rule : EndpointRuleSet.ALL) {
      // lists of different owners may leave nothing together, so every such list is named
      boolean isOtherList =
          last.errorCode() == ErrorCode.NO_ENDPOINTS && rule.errorCode() == ErrorCode.NO_ENDPOINTS;
      if (rule.equals(last) || isOtherList) {
        String reasons = reasons(model, rule);
        message.append(reasons.isEmpty() ? "" : "; " + rule.name() + ": " + reasons);
      }
    }
    return message.toString();
  }

  /** Returns why this rule is the first to drop endpoints; empty when it drops none first. */
  private String reasons(Unroutable model, EndpointRule rule) {
    Set<String> reasons = new LinkedHashSet<>();
    for (Endpoint endpoint : model.firstDroppedBy(rule)) {
      if (reasons.size() < MAX_REASONS) {
        reasons.add(rule.reason(endpoint, context));
      }
    }
    return String.join(", ", reasons);
  }

  /**
   * Returns the error when every endpoint that could be used is cooling down, with the time until
   * the first may be used again. The error is 429 when all of them are only rate-limited, and 503
   * when a breaker is open.
   *
   * @param cooldown the rule that drops these endpoints
   */
  private GatewayError coolingDown(EndpointRule cooldown, String detail) {
    var providers = new TreeSet<String>(); // slugs of the providers whose endpoints cool down
    long usableFromMillis = Long.MAX_VALUE; // the earliest, in milliseconds since the epoch
    boolean isBreakerOpen = false; // whether any breaker is open; the others only limit the rate
    for (Unroutable model : models) {
      for (Endpoint endpoint : model.firstDroppedBy(cooldown)) {
        providers.add(endpoint.provider().slug());
        usableFromMillis =
            Math.min(usableFromMillis, CooldownRule.usableFromMillis(endpoint, context));
        isBreakerOpen |= context.statistics().of(endpoint).isBreakerOpen();
      }
    }
    ErrorCode code =
        isBreakerOpen ? ErrorCode.TEMPORARILY_UNAVAILABLE : ErrorCode.CAPACITY_EXHAUSTED;
    long seconds = Math.ceilDiv(usableFromMillis - context.epochMillis(), MILLIS_PER_SECOND);
    return GatewayError.of(code, code.message() + ": " + detail)
        .withRetryAfter(seconds)
        .withAvailability(
            Availability.of(code, query.models())
                .with("retry_after", Json.of(seconds))
                .with("affected_providers", Json.strings(providers)));
  }

  /**
   * Returns the message when only money is missing: the amount needed, and the output that would
   * fit.
   */
  private String paymentRequiredMessage(EndpointRule budget) {
    Usd minPrice = null;
    long affordable = -1;
    for (Unroutable model : models) {
      for (Endpoint endpoint : model.firstDroppedBy(budget)) {
        long availablePicos =
            BudgetRule.availablePicos(endpoint, ByokKeyCandidates.of(context), context);
        Usd price = HoldSize.minBudget(endpoint, query);
        minPrice = minPrice == null || minPrice.isMoreThan(price) ? price : minPrice;
        affordable =
            Math.max(affordable, HoldSize.affordableTokens(endpoint, query, availablePicos));
      }
    }
    neededAmount = query.byokKeys().isEmpty() ? minPrice : null;
    return ErrorCode.PAYMENT_REQUIRED.message()
        + ": this request needs "
        + minPrice
        + " and "
        + BudgetRule.smallestBudget(query)
        + " is left; "
        + affordableMessage(affordable);
  }

  private String affordableMessage(long affordable) {
    if (affordable < 0) {
      return "that does not pay for its prompt";
    }
    return query.outputLimit() > 0
        ? "at most " + affordable + " output tokens would fit"
        : "that pays for "
            + affordable
            + " output tokens, at least "
            + HoldSize.MIN_OUTPUT_TOKENS
            + " are needed";
  }

  /**
   * A model with no endpoint left to try, and its eligible endpoints: those of the caller's order
   * when no others may be tried, otherwise all of them.
   */
  private static final class Unroutable {
    private final ModelEndpoints model;
    private final RuleExplainer rules;
    private final List<Endpoint> eligible = new ArrayList<>();

    /**
     * @param rules the rules as they apply to this model
     * @param order the caller's order when no other endpoints may be tried, otherwise an empty one
     */
    Unroutable(ModelEndpoints model, RuleExplainer rules, ListedOrder order) {
      this.model = model;
      this.rules = rules;
      for (int position = 0; position < model.size(); position++) {
        Endpoint endpoint = model.endpoint(position);
        if (order.isEmpty() || order.rankOf(endpoint) >= 0) {
          eligible.add(endpoint);
        }
      }
    }

    String id() {
      return model.model().id();
    }

    /** Returns whether the model has no endpoint at all. */
    boolean hasNoEndpoints() {
      return model.size() == 0;
    }

    /** Returns whether no endpoint is eligible: the caller's order names none of them. */
    boolean isUnlisted() {
      return eligible.isEmpty();
    }

    /** Returns whether only money or time keeps one of its endpoints from being used. */
    boolean mayPass() {
      for (Endpoint endpoint : eligible) {
        EndpointRule first = rules.findFirstRule(endpoint);
        if (first != null && first.isTemporary()) {
          return true;
        }
      }
      return false;
    }

    /** Returns the rule that dropped the last endpoint; null when no rule dropped one. */
    @Nullable EndpointRule lastRule() {
      var droppingRules = new LinkedHashSet<EndpointRule>();
      for (Endpoint endpoint : eligible) {
        EndpointRule rule = rules.findFirstRule(endpoint);
        if (rule != null) {
          droppingRules.add(rule);
        }
      }
      return last(droppingRules);
    }

    /** Returns the rule of this set that is applied last; null when the set is empty. */
    static @Nullable EndpointRule last(Set<EndpointRule> candidates) {
      EndpointRule last = null;
      for (EndpointRule rule : EndpointRuleSet.ALL) {
        last = candidates.contains(rule) ? rule : last;
      }
      return last;
    }

    /** Returns the endpoints this rule is the first to drop. */
    List<Endpoint> firstDroppedBy(EndpointRule rule) {
      return eligible.stream()
          .filter(endpoint -> rule.equals(rules.findFirstRule(endpoint)))
          .toList();
    }

    /** Returns every rule that drops the endpoint, in order. */
    List<EndpointRule> rulesDropping(Endpoint endpoint) {
      return rules.findRules(endpoint);
    }

    /** Returns the slugs of the providers that serve the model, for the message. */
    String providers() {
      Set<String> slugs = new LinkedHashSet<>();
      for (int position = 0; position < model.size(); position++) {
        slugs.add(model.endpoint(position).provider().slug());
      }
      return NameFormatter.format(List.copyOf(slugs));
    }
  }

  /**
   * Finds the models a router would choose if there were no budget and no cooldown. The router is
   * asked to choose among all models that would then be usable, and again without those it chose,
   * until it chooses no more. So a model that it excludes is never among them. Used only when a
   * request is refused.
   */
  static final class RouterChoices {
    /** Maximum number of times the router is asked; it may choose only one model each time. */
    private static final int ROUNDS = Planner.MAX_ATTEMPTS;

    private final PlanIndex index;
    private final RouterCalls routers;
    private final RuleContext context;
    private final RuleExplainer rules;
    private final BitSet endpoints = new BitSet(); // ordinals of endpoints not yet chosen

    /**
     * @param rules the rules as they apply to the router's name
     */
    RouterChoices(Routers routers, RuleContext context, RuleExplainer rules) {
      this.index = context.index();
      this.routers = new RouterCalls(context, routers, null);
      this.context = context;
      this.rules = rules;
    }

    /** Returns the models, in the order in which the router would choose them. */
    Set<ModelEndpoints> of(RouterStep step) {
      offerAll();
      var candidates =
          new CandidateModels(
              context, endpoint -> !endpoints.get(endpoint.ordinal()), null, step.facts());
      var choices = new LinkedHashSet<ModelEndpoints>();
      try {
        int previousSize = -1;
        for (int round = 0; round < ROUNDS && previousSize < choices.size(); round++) {
          previousSize = choices.size();
          choose(step, candidates, choices);
          choices.forEach(this::withdraw);
        }
      } catch (PluginFailureException e) {
        // the router did not fail on the request itself, so the models found so far are returned
      }
      return choices;
    }

    private void offerAll() {
      long abilities = context.query().parameters() & Narrowers.SOFT_PARAMETERS;
      for (Endpoint endpoint : index.catalog().endpoints()) {
        @Nullable EndpointRule first = rules.findFirstRule(endpoint);
        if ((first == null || first.isTemporary())
            && (endpoint.parameterMask() & abilities) == abilities) {
          endpoints.set(endpoint.ordinal());
        }
      }
    }

    private void choose(RouterStep step, CandidateModels candidates, Set<ModelEndpoints> choices) {
      switch (routers.choose(step, candidates)) {
        case Selection.Models models -> {
          for (String id : models.ids()) {
            ModelEndpoints model = routers.model(step, id, candidates);
            if (model != null) {
              choices.add(model);
            }
          }
        }
        case Selection.Endpoints selection -> {
          for (IndexedEndpoint indexed : routers.endpoints(step, selection, candidates)) {
            choices.add(modelOf(indexed.endpoint()));
          }
        }
        case Selection.Refusal none -> {
          // there is nothing more to choose
        }
        case Selection.Pass pass -> {
          for (int position = 0; position < candidates.size(); position++) {
            if (candidates.isUsable(position)) {
              choices.add(index.endpoints(candidates.model(position)));
            }
          }
        }
      }
    }

    private ModelEndpoints modelOf(Endpoint endpoint) {
      return index.endpoints(index.catalog().models().get(endpoint.modelOrdinal()));
    }

    private void withdraw(ModelEndpoints model) {
      for (int position = 0; position < model.size(); position++) {
        endpoints.clear(model.endpoint(position).ordinal());
      }
    }
  }
}
