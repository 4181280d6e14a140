package io.strowger.core.plan;

import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Optional;

/**
 * Drops endpoints whose provider may train on prompts, where the account does not allow that: it
 * says so for free endpoints and for the others by themselves.
 */
final class AccountTrainingRule implements EndpointRule {
  private static final Test FREE =
      endpoint -> endpoint.provider().trainsOnPrompts() && endpoint.pricing().isFree();
  private static final Test PAID =
      endpoint -> endpoint.provider().trainsOnPrompts() && !endpoint.pricing().isFree();

  @Override
  public String name() {
    return "account.training";
  }

  @Override
  public Test compile(RuleContext context) {
    AccountRules account = context.query().account();
    if (account.freeTraining()) {
      return account.paidTraining() ? Test.KEEPS_ALL : PAID;
    }
    return account.paidTraining() ? FREE : context.index().traits().trains();
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return endpoint.pricing().isFree()
        ? "is free and may train on prompts"
        : "may train on prompts";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.PRIVACY_RESTRICTED;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("data_policy:training");
  }

  @Override
  public Subject subject() {
    return Subject.ACCOUNT;
  }
}
