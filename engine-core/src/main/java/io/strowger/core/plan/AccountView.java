package io.strowger.core.plan;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a catalog that an account's rules permit, whatever a request asks for. The rules are
 * those that apply to the account's requests. Immutable and thread-safe.
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

  /**
   * Returns whether the model exists for the account: false for a private model that is not
   * approved for it.
   */
  public boolean exists(ModelInfo model) {
    return !model.isPrivate() || ModelNames.isApproved(model, query);
  }

  /** Returns whether requests of the account may be sent to the endpoint. */
  public boolean allows(Endpoint endpoint) {
    return tests.stream().noneMatch(test -> test.drops(endpoint));
  }
}
