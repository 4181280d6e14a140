package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops endpoints that cannot read a kind of input the prompt holds. */
final class InputModalitiesRule implements Rule {
  @Override
  public String name() {
    return "input_modalities";
  }

  @Override
  public Test compile(Scope scope) {
    int needed = scope.query().inputModalities();
    return (needed & ~scope.index().traits().inputs()) == 0
        ? Test.KEEPS_ALL
        : endpoint -> (needed & ~endpoint.inputModalities()) != 0;
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    int missing = scope.query().inputModalities() & ~endpoint.inputModalities();
    return "does not read " + Names.ofModalities(missing);
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }
}
