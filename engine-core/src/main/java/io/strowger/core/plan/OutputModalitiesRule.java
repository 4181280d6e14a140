package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops endpoints that cannot write a kind of output a chat asks for. */
final class OutputModalitiesRule implements Rule {
  @Override
  public String name() {
    return "output_modalities";
  }

  @Override
  public Test compile(Scope scope) {
    int needed = scope.query().outputModalities();
    return scope.query().kind() != Endpoint.Kind.CHAT
            || (needed & ~scope.index().traits().outputs()) == 0
        ? Test.KEEPS_ALL
        : endpoint -> (needed & ~endpoint.outputModalities()) != 0;
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    int missing = scope.query().outputModalities() & ~endpoint.outputModalities();
    return "does not write " + Names.ofModalities(missing);
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }
}
