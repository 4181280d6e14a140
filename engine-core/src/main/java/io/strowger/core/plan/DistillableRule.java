package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops models whose author does not allow training others on their text. */
final class DistillableRule implements Rule {
  @Override
  public String name() {
    return "provider.enforce_distillable_text";
  }

  @Override
  public Test compile(Scope scope) {
    CatalogTraits traits = scope.index().traits();
    return scope.query().preferences().enforceDistillableText()
        ? endpoint -> !traits.isDistillable(endpoint.modelOrdinal())
        : Test.KEEPS_ALL;
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    return "its author does not allow distilling its text";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }

  @Override
  public Subject subject() {
    return Subject.PREFERENCES;
  }
}
