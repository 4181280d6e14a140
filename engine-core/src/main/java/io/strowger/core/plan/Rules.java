package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
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

  private final Scope scope;
  private final Rule.Test[] tests = new Rule.Test[ALL.size()];
  private final int active; // a bit for each rule that has a say

  Rules(Scope scope) {
    this.scope = scope;
    int speaking = 0;
    for (int i = 0; i < tests.length; i++) {
      tests[i] = ALL.get(i).compile(scope);
      if (tests[i] != Rule.Test.KEEPS_ALL) {
        speaking |= 1 << i;
      }
    }
    this.active = speaking;
  }

  /** These rules where other service tiers are admitted. */
  Rules admitting(int tiers) {
    return tiers == scope.admitted() ? this : new Rules(scope.admitting(tiers));
  }

  boolean keep(Endpoint endpoint) {
    return firstToDrop(endpoint, active) < 0;
  }

  /** The first rule that drops the endpoint; null when all keep it. */
  @Nullable Rule firstToDrop(Endpoint endpoint) {
    int first = firstToDrop(endpoint, active);
    return first < 0 ? null : ALL.get(first);
  }

  private int firstToDrop(Endpoint endpoint, int among) {
    for (int left = among; left != 0; left &= left - 1) {
      int rule = Integer.numberOfTrailingZeros(left);
      if (tests[rule].drops(endpoint)) {
        return rule;
      }
    }
    return -1;
  }

  /** Adds a fact for every rule that drops the endpoint. */
  void explain(Endpoint endpoint, List<TraceEntry> facts) {
    for (int i = 0; i < tests.length; i++) {
      if (tests[i].drops(endpoint)) {
        Rule rule = ALL.get(i);
        facts.add(
            new TraceEntry.Excluded(endpoint.id(), rule.name(), rule.reason(endpoint, scope)));
      }
    }
  }
}
