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
  // rules that can drop an endpoint, in order
  private final List<EndpointRule> rules = new ArrayList<>();
  private final List<EndpointRule.Test> tests = new ArrayList<>(); // of the rule at the same index

  /**
   * @param allRules every rule, in order
   * @param ruleMask a bit for each rule to compile, by its index in the list of all rules
   */
  RuleExplainer(List<EndpointRule> allRules, int ruleMask, RuleContext context) {
    this.context = context;
    for (int remainingBits = ruleMask; remainingBits != 0; remainingBits &= remainingBits - 1) {
      EndpointRule rule = allRules.get(Integer.numberOfTrailingZeros(remainingBits));
      EndpointRule.Test test = rule.compile(context);
      if (test != EndpointRule.Test.KEEPS_ALL) {
        rules.add(rule);
        tests.add(test);
      }
    }
  }

  /** Returns the first rule that drops the endpoint; null when all keep it. */
  @Nullable EndpointRule findFirstRule(Endpoint endpoint) {
    for (int i = 0; i < tests.size(); i++) {
      if (tests.get(i).drops(endpoint)) {
        return rules.get(i);
      }
    }
    return null;
  }

  /** Returns every rule that drops the endpoint, in order. */
  List<EndpointRule> findRules(Endpoint endpoint) {
    var droppingRules = new ArrayList<EndpointRule>();
    for (int i = 0; i < tests.size(); i++) {
      if (tests.get(i).drops(endpoint)) {
        droppingRules.add(rules.get(i));
      }
    }
    return droppingRules;
  }

  /** Adds a trace entry for every rule that drops the endpoint. */
  void explain(Endpoint endpoint, List<TraceEntry> trace) {
    for (int i = 0; i < tests.size(); i++) {
      if (tests.get(i).drops(endpoint)) {
        EndpointRule rule = rules.get(i);
        trace.add(
            new TraceEntry.Excluded(endpoint.id(), rule.name(), rule.reason(endpoint, context)));
      }
    }
  }
}
