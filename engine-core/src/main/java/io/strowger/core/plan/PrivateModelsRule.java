package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops private models the account was not approved for: for it they do not exist. */
final class PrivateModelsRule implements Rule {
  @Override
  public String name() {
    return "private_model";
  }

  @Override
  public Test compile(Scope scope) {
    return scope.index().traits().hasPrivateModels()
        ? endpoint -> forbids(endpoint.modelOrdinal(), scope)
        : Test.KEEPS_ALL;
  }

  private static boolean forbids(int model, Scope scope) {
    return scope.index().traits().isPrivate(model)
        && !ModelNames.approved(scope.catalog().models().get(model), scope.query());
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    return "is private to other accounts";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.MODEL_NOT_FOUND;
  }
}
