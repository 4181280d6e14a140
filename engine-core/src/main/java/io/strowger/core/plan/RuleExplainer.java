package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles each rule of one query separately, to find out which rules drop an endpoint. Decisions
 * use {@link EndpointRuleSet} instead, which combines several rules into one test.
 */
final class RuleExplainer {
  private final RuleContext context;
  private final List<EndpointRule> rules = new ArrayList<>(); // those that may drop any, in order
  private final List<EndpointRule.Test> tests = new ArrayList<>(); // of the rule at the same place

  /**
   * @param all every rule, in order
   * @param concerned a bit for each rule to compile, by its index in the list of all rules
   */
  RuleExplainer(List<EndpointRule> all, int concerned, RuleContext context) {
    this.context = context;
    for (int left = concerned; left != 0; left &= left - 1) {
      EndpointRule rule = all.get(Integer.numberOfTrailingZeros(left));
      EndpointRule.Test test = rule.compile(context);
      if (test != EndpointRule.Test.KEEPS_ALL) {
        rules.add(rule);
        tests.add(test);
      }
    }
  }

  /** Returns the first rule that drops the endpoint; null when all keep it. */
  @Nullable EndpointRule firstToDrop(Endpoint endpoint) {
    for (int i = 0; i < tests.size(); i++) {
      if (tests.get(i).drops(endpoint)) {
        return rules.get(i);
      }
    }
    return null;
  }

  /** Returns every rule that drops the endpoint, in order. */
  List<EndpointRule> dropping(Endpoint endpoint) {
    var dropping = new ArrayList<EndpointRule>();
    for (int i = 0; i < tests.size(); i++) {
      if (tests.get(i).drops(endpoint)) {
        dropping.add(rules.get(i));
      }
    }
    return dropping;
  }

  /** Adds a trace entry for every rule that drops the endpoint. */
  void explain(Endpoint endpoint, List<TraceEntry> facts) {
    for (int i = 0; i < tests.size(); i++) {
      if (tests.get(i).drops(endpoint)) {
        EndpointRule rule = rules.get(i);
        facts.add(
            new TraceEntry.Excluded(endpoint.id(), rule.name(), rule.reason(endpoint, context)));
      }
    }
  }
}
