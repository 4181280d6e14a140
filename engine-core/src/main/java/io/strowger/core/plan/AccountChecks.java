package io.strowger.core.plan;

import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.plugin.ModelSet;
import java.util.List;
import java.util.StringJoiner;

/** Tests for the endpoints that an account's rules drop, whatever the caller asks for. */
final class AccountChecks {
  private static final Test DROPS_FREE_TRAINING =
      endpoint -> endpoint.provider().trainsOnPrompts() && endpoint.pricing().isFree();
  private static final Test DROPS_PAID_TRAINING =
      endpoint -> endpoint.provider().trainsOnPrompts() && !endpoint.pricing().isFree();

  private AccountChecks() {}

  /** Returns a test that drops models missing from any of the account's allow lists. */
  static Test allowedModels(RuleContext context) {
    Test test = Test.KEEPS_ALL;
    for (List<String> allowList : context.query().account().allowedModels()) {
      ModelSet allowed = context.index().matching(allowList);
      Test previous = test;
      test = endpoint -> !allowed.contains(endpoint.modelOrdinal()) || previous.drops(endpoint);
    }
    return test;
  }

  static String allowedModelsReason(Endpoint endpoint, RuleContext context) {
    return permits(context.query().account().allowedModels());
  }

  /** Returns a test that drops models the account ignores. */
  static Test ignoredModels(RuleContext context) {
    List<String> patterns = context.query().account().ignoredModels();
    if (patterns.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    ModelSet ignored = context.index().matching(patterns);
    return endpoint -> ignored.contains(endpoint.modelOrdinal());
  }

  /**
   * Returns a test that drops endpoints the account does not allow; a caller's own list can only
   * narrow this further.
   */
  static Test allowedProviders(RuleContext context) {
    Test test = Test.KEEPS_ALL;
    for (List<String> allowList : context.query().account().allowedProviders()) {
      ProviderSet allowed = ProviderSet.ofAccount(allowList, context.index());
      Test previous = test;
      test = endpoint -> !allowed.matches(endpoint) || previous.drops(endpoint);
    }
    return test;
  }

  static String allowedProvidersReason(Endpoint endpoint, RuleContext context) {
    return permits(context.query().account().allowedProviders());
  }

  private static String permits(List<List<String>> allowLists) {
    var sentences = new StringJoiner("; ");
    for (List<String> allowed : allowLists) {
      sentences.add("permits " + NameFormatter.format(allowed));
    }
    return sentences.toString();
  }

  /** Returns a test that drops endpoints the account ignores. */
  static Test ignoredProviders(RuleContext context) {
    List<String> names = context.query().account().ignoredProviders();
    if (names.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    ProviderSet ignored = ProviderSet.ofAccount(names, context.index());
    return ignored::matches;
  }

  /**
   * Returns a test that drops endpoints whose provider may train on prompts, where the account
   * forbids it; free and paid endpoints are permitted separately.
   */
  static Test training(RuleContext context) {
    AccountRules account = context.query().account();
    if (account.allowsFreeTraining()) {
      return account.allowsPaidTraining() ? Test.KEEPS_ALL : DROPS_PAID_TRAINING;
    }
    return account.allowsPaidTraining() ? DROPS_FREE_TRAINING : context.index().traits().trains();
  }

  static String trainingReason(Endpoint endpoint, RuleContext context) {
    return endpoint.pricing().isFree()
        ? "is free and may train on prompts"
        : "may train on prompts";
  }

  /**
   * Returns a test that drops endpoints whose provider may keep prompts, for the groups of models
   * in the account's {@code zdr}. Applies to every credential: a BYOK key is no exemption.
   */
  static Test zdr(RuleContext context) {
    int groups = 0;
    for (String name : context.query().account().zdr()) {
      groups |= CatalogTraits.zdrGroupNamed(name);
    }
    return groups == 0 ? Test.KEEPS_ALL : zdr(groups, context.index().traits());
  }

  private static Test zdr(int groups, CatalogTraits traits) {
    return endpoint ->
        endpoint.provider().retainsPrompts()
            && (groups & traits.zdrGroup(endpoint.modelOrdinal())) != 0;
  }

  static String zdrReason(Endpoint endpoint, RuleContext context) {
    int group = context.index().traits().zdrGroup(endpoint.modelOrdinal());
    return "may keep prompts, which models of the group "
        + CatalogTraits.zdrGroupName(group)
        + " must not";
  }
}
