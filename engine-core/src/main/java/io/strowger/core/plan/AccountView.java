package io.strowger.core.plan;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * What the rules of an account leave of a catalog, whatever a request asks for: the same rules that
 * bind its requests. Immutable, safe on any thread.
 */
public final class AccountView {
  private final RoutingQuery query;
  private final List<EndpointRule.Test> tests;

  AccountView(AccountRules account, PlanIndex index) {
    query = RoutingQuery.builder(index.catalog().version()).account(account).build();
    tests = new ArrayList<>();
    var context = new RuleContext(query, index, Statistics.NONE, ServiceTierMask.ALL);
    for (EndpointRule rule : EndpointRuleSet.ALL) {
      if (rule.subject() == EndpointRule.Subject.ACCOUNT) {
        tests.add(rule.compile(context));
      }
    }
  }

  /** False for a private model the account was not approved for: for it there is none. */
  public boolean exists(ModelInfo model) {
    return !model.isPrivate() || ModelNames.isApproved(model, query);
  }

  /** Requests of the account may be sent to it. */
  public boolean allows(Endpoint endpoint) {
    return tests.stream().noneMatch(test -> test.drops(endpoint));
  }
}
