package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops models whose author does not allow training others on their text. */
final class DistillableRule implements EndpointRule {
  @Override
  public String name() {
    return "provider.enforce_distillable_text";
  }

  @Override
  public Test compile(RuleContext context) {
    CatalogTraits traits = context.index().traits();
    return context.query().preferences().enforceDistillableText()
        ? endpoint -> !traits.isDistillable(endpoint.modelOrdinal())
        : Test.KEEPS_ALL;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "its author does not allow distilling its text";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }

  @Override
  public Subject subject() {
    return Subject.PREFERENCES;
  }
}
