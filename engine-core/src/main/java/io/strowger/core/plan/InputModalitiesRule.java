package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops endpoints that cannot read a kind of input the prompt holds. */
final class InputModalitiesRule implements EndpointRule {
  @Override
  public String name() {
    return "input_modalities";
  }

  @Override
  public Test compile(RuleContext context) {
    int needed = context.query().inputModalities();
    return (needed & ~context.index().traits().inputs()) == 0
        ? Test.KEEPS_ALL
        : endpoint -> (needed & ~endpoint.inputModalities()) != 0;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    int missing = context.query().inputModalities() & ~endpoint.inputModalities();
    return "does not read " + NameFormatter.ofModalities(missing);
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }
}
