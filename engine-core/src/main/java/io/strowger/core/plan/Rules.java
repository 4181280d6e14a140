package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every rule that has a say in one query, compiled for it. An endpoint is kept if all keep it. */
final class Rules {
  /** From what the endpoint is to what it costs; the order decides which rule took the last one. */
  static final List<Rule> ALL =
      List.of(
          new EndpointKindRule(),
          new ServiceTierRule(),
          new AccountAllowedRule(),
          new AccountIgnoredRule(),
          new OnlyRule(),
          new IgnoreRule(),
          new InputModalitiesRule(),
          new MaxTokensRule(),
          new BudgetRule());

  private final RoutingQuery query;
  private final Rule.Test[] tests = new Rule.Test[ALL.size()];
  private final Rule[] rules = new Rule[ALL.size()];
  private int size;

  Rules(RoutingQuery query, Catalog catalog) {
    this.query = query;
    for (int i = 0; i < ALL.size(); i++) {
      Rule rule = ALL.get(i);
      Rule.Test test = rule.compile(query, catalog);
      if (test != Rule.Test.KEEPS_ALL) {
        tests[size] = test;
        rules[size++] = rule;
      }
    }
  }

  boolean keep(Endpoint endpoint) {
    for (int i = 0; i < size; i++) {
      if (tests[i].drops(endpoint)) {
        return false;
      }
    }
    return true;
  }

  /** The first rule that drops the endpoint; null when all keep it. */
  @Nullable Rule firstToDrop(Endpoint endpoint) {
    for (int i = 0; i < size; i++) {
      if (tests[i].drops(endpoint)) {
        return rules[i];
      }
    }
    return null;
  }

  /** Adds a fact for every rule that drops the endpoint. */
  void explain(Endpoint endpoint, List<TraceEntry> facts) {
    for (int i = 0; i < size; i++) {
      if (tests[i].drops(endpoint)) {
        facts.add(
            new TraceEntry.Excluded(
                endpoint.id(), rules[i].name(), rules[i].reason(endpoint, query)));
      }
    }
  }
}
