package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops endpoints that cannot write a kind of output a chat asks for. */
final class OutputModalitiesRule implements EndpointRule {
  @Override
  public String name() {
    return "output_modalities";
  }

  @Override
  public Test compile(RuleContext context) {
    int needed = context.query().outputModalities();
    return context.query().kind() != Endpoint.Kind.CHAT
            || (needed & ~context.index().traits().outputs()) == 0
        ? Test.KEEPS_ALL
        : endpoint -> (needed & ~endpoint.outputModalities()) != 0;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    int missing = context.query().outputModalities() & ~endpoint.outputModalities();
    return "does not write " + NameFormatter.ofModalities(missing);
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }
}
