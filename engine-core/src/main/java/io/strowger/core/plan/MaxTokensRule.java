package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops endpoints known to be unable to write as many tokens as the caller asks for. */
final class MaxTokensRule implements EndpointRule {
  @Override
  public String name() {
    return "max_tokens";
  }

  @Override
  public Test compile(RuleContext context) {
    int asked = context.query().outputLimit();
    if (asked <= context.index().traits().leastOutput()) {
      return Test.KEEPS_ALL;
    }
    return endpoint -> endpoint.maxOutputTokens() > 0 && endpoint.maxOutputTokens() < asked;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "writes at most "
        + endpoint.maxOutputTokens()
        + " tokens, "
        + context.query().outputLimit()
        + " were asked for";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }
}
