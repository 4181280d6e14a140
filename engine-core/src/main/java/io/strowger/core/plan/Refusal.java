package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.RoutingQuery;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says why nothing is left to try, by the rules that took the last endpoints: a person reads what
 * to change, a program reads the same in {@code error.availability}.
 */
final class Refusal {
  private static final int MOST_REASONS = 3;

  private final Scope scope;
  private final RoutingQuery query;
  private final ModelEndpoints[] models;
  private final Rules rules;

  Refusal(Scope scope, ModelEndpoints[] models, Rules rules) {
    this.scope = scope;
    this.query = scope.query();
    this.models = models;
    this.rules = rules;
  }

  GatewayError error() {
    var sentences = new ArrayList<String>();
    var lastRules = new LinkedHashSet<Rule>();
    var excludedBy = new LinkedHashSet<String>();
    for (ModelEndpoints model : models) {
      if (anyKept(model)) {
        return unlisted(model);
      }
      Rule rule = lastRule(model);
      sentences.add(rule == null ? model.model().id() + " has no endpoint" : why(model, rule));
      if (rule != null) {
        lastRules.add(rule);
        addWords(model, rule, excludedBy);
      }
    }
    return error(last(lastRules), String.join("; ", sentences), excludedBy);
  }

  private GatewayError error(@Nullable Rule last, String detail, Set<String> excludedBy) {
    if (last == null) {
      return unavailable(ErrorCode.NO_ENDPOINTS, detail);
    }
    ErrorCode code = last.whenNoneIsLeft();
    if (code == ErrorCode.PAYMENT_REQUIRED) {
      return GatewayError.of(code, tooDear());
    }
    if (code == ErrorCode.TEMPORARILY_UNAVAILABLE) {
      return Cooling.of(models, rules, scope).error(detail);
    }
    GatewayError error = unavailable(code, detail);
    return error.withAvailability(named(error.availability(), last, error.message(), excludedBy));
  }

  private GatewayError unavailable(ErrorCode code, String detail) {
    return GatewayError.of(code, code.message() + ": " + detail)
        .withAvailability(Availability.of(code, query.models()));
  }

  /**
   * The words of every rule against the endpoints that were left until the last one: to lift one of
   * them may not be enough.
   */
  private void addWords(ModelEndpoints model, Rule last, Set<String> words) {
    for (int place = 0; place < model.size(); place++) {
      List<Rule> dropping = rules.dropping(model.endpoint(place));
      if (dropping.get(0).equals(last)) {
        dropping.forEach(rule -> rule.excludedBy().ifPresent(words::add));
      }
    }
  }

  private static Json.Obj named(
      Json.Obj availability, Rule last, String detail, Set<String> excludedBy) {
    Json.Obj constrained = availability.with("constraint", constraint(last.name(), detail));
    return excludedBy.isEmpty()
        ? constrained
        : constrained.with(
            "excluded_by", Json.array(excludedBy.stream().map(Refusal::json).toList()));
  }

  private static Json json(String text) {
    return Json.of(text);
  }

  private static Json constraint(String field, String detail) {
    return Json.object().put("field", field).put("detail", detail).build();
  }

  /**
   * The rules kept something, so only a list of providers without fallbacks can have emptied it.
   */
  private GatewayError unlisted(ModelEndpoints model) {
    String sentence =
        model.model().id()
            + " is served by "
            + providers(model)
            + "; provider.order lists "
            + Names.shown(query.preferences().order())
            + ", and provider.allow_fallbacks is false";
    GatewayError error = unavailable(ErrorCode.NO_ENDPOINTS, sentence);
    return error.withAvailability(
        error.availability().with("constraint", constraint("provider.order", sentence)));
  }

  private boolean anyKept(ModelEndpoints model) {
    for (int place = 0; place < model.size(); place++) {
      if (rules.keep(model.endpoint(place))) {
        return true;
      }
    }
    return false;
  }

  /** The rule that took the model's last endpoint; null when the model has none at all. */
  private @Nullable Rule lastRule(ModelEndpoints model) {
    var droppedBy = new LinkedHashSet<Rule>();
    for (int place = 0; place < model.size(); place++) {
      Rule rule = rules.firstToDrop(model.endpoint(place));
      if (rule != null) {
        droppedBy.add(rule);
      }
    }
    return last(droppedBy);
  }

  private static @Nullable Rule last(Set<Rule> among) {
    Rule last = null;
    for (Rule rule : Rules.ALL) {
      last = among.contains(rule) ? rule : last;
    }
    return last;
  }

  private String why(ModelEndpoints model, Rule rule) {
    Set<String> reasons = new LinkedHashSet<>();
    for (int place = 0; place < model.size() && reasons.size() < MOST_REASONS; place++) {
      Endpoint endpoint = model.endpoint(place);
      if (rule.equals(rules.firstToDrop(endpoint))) {
        reasons.add(rule.reason(endpoint, scope));
      }
    }
    return model.model().id()
        + " is served by "
        + providers(model)
        + "; "
        + rule.name()
        + ": "
        + String.join(", ", reasons);
  }

  private static String providers(ModelEndpoints model) {
    Set<String> slugs = new LinkedHashSet<>();
    for (int place = 0; place < model.size(); place++) {
      slugs.add(model.endpoint(place).provider().slug());
    }
    return Names.shown(List.copyOf(slugs));
  }

  /** Only money is missing: how much, and what would fit. */
  private String tooDear() {
    Usd least = null;
    long affordable = -1;
    for (ModelEndpoints model : models) {
      for (int place = 0; place < model.size(); place++) {
        Endpoint endpoint = model.endpoint(place);
        if (rules.firstToDrop(endpoint) instanceof BudgetRule) {
          Usd price = HoldSize.leastBudget(endpoint, query);
          least = least == null || least.isMoreThan(price) ? price : least;
          affordable = Math.max(affordable, HoldSize.affordable(endpoint, query));
        }
      }
    }
    return ErrorCode.PAYMENT_REQUIRED.message()
        + ": this request needs "
        + least
        + " and "
        + query.budget()
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
