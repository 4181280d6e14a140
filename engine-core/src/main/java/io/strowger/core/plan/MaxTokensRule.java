package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/** Drops endpoints known to be unable to write as many tokens as the caller asks for. */
final class MaxTokensRule implements Rule {
  @Override
  public String name() {
    return "max_tokens";
  }

  @Override
  public Test compile(Scope scope) {
    int asked = scope.query().outputLimit();
    if (asked <= scope.index().traits().leastOutput()) {
      return Test.KEEPS_ALL;
    }
    return endpoint -> endpoint.maxOutputTokens() > 0 && endpoint.maxOutputTokens() < asked;
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    return "writes at most "
        + endpoint.maxOutputTokens()
        + " tokens, "
        + scope.query().outputLimit()
        + " were asked for";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }
}
