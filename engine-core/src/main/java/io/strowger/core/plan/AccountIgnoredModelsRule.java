package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.plugin.ModelSet;
import java.util.List;

/** Drops models the account never uses. */
final class AccountIgnoredModelsRule implements EndpointRule {
  @Override
  public String name() {
    return "account.ignored_models";
  }

  @Override
  public Test compile(RuleContext context) {
    List<String> patterns = context.query().account().ignoredModels();
    if (patterns.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    ModelSet ignored = context.index().matching(patterns);
    return endpoint -> ignored.contains(endpoint.modelOrdinal());
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "ignored";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.NO_ENDPOINTS;
  }

  @Override
  public Subject subject() {
    return Subject.ACCOUNT;
  }
}
