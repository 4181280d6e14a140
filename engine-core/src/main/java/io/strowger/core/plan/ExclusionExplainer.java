package io.strowger.core.plan;

import io.strowger.core.routing.RoutePlan.NoRoute;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says why nothing is left to try, by the rules that took the last endpoints: a person reads what
 * to change, a program reads the same in {@code error.availability}.
 */
final class ExclusionExplainer {
  private static final int MOST_REASONS = 3;

  /** Most models a person is told about one by one. */
  private static final int MOST_MODELS = 5;

  private final RuleContext context;
  private final RoutingQuery query;
  private final List<UnroutableModel> models;
  private @Nullable Usd needed;

  ExclusionExplainer(RuleContext context, List<UnroutableModel> models) {
    this.context = context;
    this.query = context.query();
    this.models = models;
  }

  /**
   * @param explain what the plan says for itself
   */
  NoRoute route(Supplier<List<TraceEntry>> explain) {
    GatewayError error = error();
    return new NoRoute(error, error.code() == ErrorCode.PAYMENT_REQUIRED ? needed : null, explain);
  }

  private GatewayError error() {
    var sentences = new ArrayList<String>();
    var lastRules = new LinkedHashSet<EndpointRule>();
    var excludedBy = new LinkedHashSet<String>();
    for (UnroutableModel model : models) {
      EndpointRule rule = model.lastRule();
      if (sentences.size() < MOST_MODELS) {
        sentences.add(rule == null ? untouched(model) : why(model, rule));
      }
      if (rule != null) {
        lastRules.add(rule);
        addWords(model, rule, excludedBy);
      }
    }
    if (models.size() > MOST_MODELS) {
      sentences.add("and " + (models.size() - MOST_MODELS) + " more models");
    }
    return error(UnroutableModel.last(lastRules), String.join("; ", sentences), excludedBy);
  }

  private GatewayError error(@Nullable EndpointRule last, String detail, Set<String> excludedBy) {
    if (last == null) {
      return unlisted(detail);
    }
    ErrorCode code = last.errorCode();
    if (last instanceof UnknownPartRule) {
      return GatewayError.of(code, List.of(UnknownPartRule.problem(context, detail)));
    }
    String off = query.reasoningOff();
    if (code == ErrorCode.INVALID_REQUEST && off != null) {
      return GatewayError.of(code, List.of(mustReason(off, detail)));
    }
    if (code == ErrorCode.PAYMENT_REQUIRED) {
      return GatewayError.of(code, tooDear(last));
    }
    if (code == ErrorCode.TEMPORARILY_UNAVAILABLE) {
      return CooldownRefusal.of(models, last, context).error(detail);
    }
    GatewayError error = unavailable(code, detail + last.advice(context));
    return error.withAvailability(named(error.availability(), last, error.message(), excludedBy));
  }

  /** No other endpoint would do: it is the request that has to change. */
  private static Problem mustReason(String member, String detail) {
    return new Problem(
        JsonPointer.ROOT.child(member), "must not turn reasoning off here: " + detail, "");
  }

  private GatewayError unavailable(ErrorCode code, String detail) {
    return GatewayError.of(code, detail.isEmpty() ? code.message() : code.message() + ": " + detail)
        .withAvailability(Availability.of(code, query.models()));
  }

  /**
   * The words of every rule against the endpoints that were left until the last one: to lift one of
   * them may not be enough.
   */
  private static void addWords(UnroutableModel model, EndpointRule last, Set<String> words) {
    for (Endpoint endpoint : model.takenBy(last)) {
      model.dropping(endpoint).forEach(rule -> rule.excludedBy().ifPresent(words::add));
    }
  }

  private static Json.Obj named(
      Json.Obj availability, EndpointRule last, String detail, Set<String> excludedBy) {
    Json.Obj constrained = availability.with("constraint", constraint(last.name(), detail));
    return excludedBy.isEmpty()
        ? constrained
        : constrained.with(
            "excluded_by", Json.array(excludedBy.stream().map(ExclusionExplainer::json).toList()));
  }

  private static Json json(String text) {
    return Json.of(text);
  }

  private static Json constraint(String field, String detail) {
    return Json.object().put("field", field).put("detail", detail).build();
  }

  /** No rule took anything: the caller's own list did, or there never was anything. */
  private GatewayError unlisted(String detail) {
    GatewayError error = unavailable(ErrorCode.NO_ENDPOINTS, detail);
    return models.stream().allMatch(UnroutableModel::hasNoEndpoints)
        ? error
        : error.withAvailability(
            error.availability().with("constraint", constraint("provider.order", detail)));
  }

  private String untouched(UnroutableModel model) {
    return model.hasNoEndpoints()
        ? model.id() + " has no endpoint"
        : model.id()
            + " is served by "
            + model.providers()
            + "; provider.order lists "
            + NameFormatter.shown(query.preferences().order())
            + (model.isUnlisted() ? "" : ", where others suit the request better")
            + ", and provider.allow_fallbacks is false";
  }

  private String why(UnroutableModel model, EndpointRule rule) {
    Set<String> reasons = new LinkedHashSet<>();
    for (Endpoint endpoint : model.takenBy(rule)) {
      if (reasons.size() < MOST_REASONS) {
        reasons.add(rule.reason(endpoint, context));
      }
    }
    return model.id()
        + " is served by "
        + model.providers()
        + "; "
        + rule.name()
        + ": "
        + String.join(", ", reasons);
  }

  /** Only money is missing: how much, and what would fit. */
  private String tooDear(EndpointRule budget) {
    Usd least = null;
    long affordable = -1;
    for (UnroutableModel model : models) {
      for (Endpoint endpoint : model.takenBy(budget)) {
        long room = BudgetRule.room(endpoint, ByokKeyCandidates.of(context), context);
        Usd price = HoldSize.leastBudget(endpoint, query);
        least = least == null || least.isMoreThan(price) ? price : least;
        affordable = Math.max(affordable, HoldSize.affordable(endpoint, query, room));
      }
    }
    needed = query.customerKeys().isEmpty() ? least : null;
    return ErrorCode.PAYMENT_REQUIRED.message()
        + ": this request needs "
        + least
        + " and "
        + BudgetRule.left(query)
        + " is left; "
        + whatFits(affordable);
  }

  private String whatFits(long affordable) {
    if (affordable <= 0) {
      return "that does not pay for its prompt";
    }
    return query.outputLimit() > 0
        ? "at most " + affordable + " output tokens would fit"
        : "that pays for "
            + affordable
            + " output tokens, at least "
            + HoldSize.LEAST_OUTPUT_TOKENS
            + " are needed";
  }
}
