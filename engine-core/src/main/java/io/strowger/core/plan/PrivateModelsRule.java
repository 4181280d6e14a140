package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops private models the account was not approved for: for it they do not exist. */
final class PrivateModelsRule implements EndpointRule {
  @Override
  public String name() {
    return "private_model";
  }

  @Override
  public Test compile(RuleContext context) {
    return context.index().traits().hasPrivateModels()
        ? endpoint -> forbids(endpoint.modelOrdinal(), context)
        : Test.KEEPS_ALL;
  }

  private static boolean forbids(int model, RuleContext context) {
    return context.index().traits().isPrivate(model)
        && !ModelNames.approved(context.catalog().models().get(model), context.query());
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "is private to other accounts";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.MODEL_NOT_FOUND;
  }
}
