package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** Drops endpoints the account does not allow; the caller's own list narrows inside it. */
final class AccountAllowedRule implements EndpointRule {
  @Override
  public String name() {
    return "account.allowed_providers";
  }

  @Override
  public Test compile(RuleContext context) {
    Test test = Test.KEEPS_ALL;
    for (List<String> ceiling : context.query().account().allowedProviders()) {
      ProviderSet allowed = ProviderSet.ofAccount(ceiling, context.index());
      Test others = test;
      test = endpoint -> !allowed.matches(endpoint) || others.drops(endpoint);
    }
    return test;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    var sentences = new StringJoiner("; ");
    for (List<String> allowed : context.query().account().allowedProviders()) {
      sentences.add("permits " + NameFormatter.shown(allowed));
    }
    return sentences.toString();
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.NO_ENDPOINTS;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("allowed_providers");
  }

  @Override
  public Subject subject() {
    return Subject.ACCOUNT;
  }
}
