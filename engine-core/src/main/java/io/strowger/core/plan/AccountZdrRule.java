package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Optional;

/**
 * Drops endpoints whose provider may keep prompts, for models of the groups the account says it
 * for. Tells nothing apart by credential: a customer's own key is no exemption.
 */
final class AccountZdrRule implements EndpointRule {
  @Override
  public String name() {
    return "account.zdr";
  }

  @Override
  public Test compile(RuleContext context) {
    int groups = 0;
    for (String name : context.query().account().zdr()) {
      groups |= ZdrGroups.bit(name);
    }
    return groups == 0 ? Test.KEEPS_ALL : test(groups, context.index().traits());
  }

  private static Test test(int groups, CatalogTraits traits) {
    return endpoint ->
        endpoint.provider().retainsPrompts()
            && (groups & traits.zdrGroup(endpoint.modelOrdinal())) != 0;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    int group = context.index().traits().zdrGroup(endpoint.modelOrdinal());
    return "may keep prompts, which models of the group " + ZdrGroups.name(group) + " must not";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.PRIVACY_RESTRICTED;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("data_policy:zdr");
  }

  @Override
  public Subject subject() {
    return Subject.ACCOUNT;
  }
}
