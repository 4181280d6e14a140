package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A model of which nothing is left to try, and what was looked at: where the caller's own list is
 * all that may be tried, the endpoints it lists, else all of them.
 */
final class UnroutableModel {
  private final ModelEndpoints model;
  private final RuleExplainer rules;
  private final List<Endpoint> eligible = new ArrayList<>();

  /**
   * @param rules as they are for this model
   * @param order the caller's own list where nobody else may be tried, else an empty one
   */
  UnroutableModel(ModelEndpoints model, RuleExplainer rules, ListedOrder order) {
    this.model = model;
    this.rules = rules;
    for (int place = 0; place < model.size(); place++) {
      Endpoint endpoint = model.endpoint(place);
      if (order.isEmpty() || order.rankOf(endpoint) >= 0) {
        eligible.add(endpoint);
      }
    }
  }

  String id() {
    return model.model().id();
  }

  /** There is no endpoint at all. */
  boolean hasNoEndpoints() {
    return model.size() == 0;
  }

  /** There are endpoints, and the caller's list names none of them. */
  boolean isUnlisted() {
    return eligible.isEmpty();
  }

  /** Only money or time keeps one of its endpoints from being used. */
  boolean mayPass() {
    for (Endpoint endpoint : eligible) {
      EndpointRule first = rules.firstToDrop(endpoint);
      if (first != null && first.isTemporary()) {
        return true;
      }
    }
    return false;
  }

  /** The rule that took the last endpoint; null when no rule took one. */
  @Nullable EndpointRule lastRule() {
    var dropping = new LinkedHashSet<EndpointRule>();
    for (Endpoint endpoint : eligible) {
      EndpointRule rule = rules.firstToDrop(endpoint);
      if (rule != null) {
        dropping.add(rule);
      }
    }
    return last(dropping);
  }

  /** The one of these rules that is asked last; null when there is none. */
  static @Nullable EndpointRule last(Set<EndpointRule> among) {
    EndpointRule last = null;
    for (EndpointRule rule : EndpointRuleSet.ALL) {
      last = among.contains(rule) ? rule : last;
    }
    return last;
  }

  /** The endpoints this rule took. */
  List<Endpoint> takenBy(EndpointRule rule) {
    return eligible.stream().filter(endpoint -> rule.equals(rules.firstToDrop(endpoint))).toList();
  }

  /** Every rule that drops the endpoint, in order. */
  List<EndpointRule> dropping(Endpoint endpoint) {
    return rules.dropping(endpoint);
  }

  /** Who serves the model, for a person. */
  String providers() {
    Set<String> slugs = new LinkedHashSet<>();
    for (int place = 0; place < model.size(); place++) {
      slugs.add(model.endpoint(place).provider().slug());
    }
    return NameFormatter.shown(List.copyOf(slugs));
  }
}
