package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Optional;

/**
 * Drops endpoints whose context does not hold the prompt and the output asked for. A prompt that
 * will be made to fit needs no room of its own.
 */
final class ContextLengthRule implements Rule {
  @Override
  public String name() {
    return "context_length";
  }

  @Override
  public Test compile(Scope scope) {
    long needed = needed(scope.query());
    return needed <= scope.index().traits().leastContext()
        ? Test.KEEPS_ALL
        : endpoint -> endpoint.contextLength() > 0 && endpoint.contextLength() < needed;
  }

  private static long needed(RoutingQuery query) {
    long prompt = query.compressible() ? 0 : query.promptTokens();
    return Math.min(prompt, Integer.MAX_VALUE) + query.outputLimit();
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    RoutingQuery query = scope.query();
    return "has a context of "
        + endpoint.contextLength()
        + " tokens, "
        + (query.compressible() ? "" : "about " + query.promptTokens() + " of prompt and ")
        + query.outputLimit()
        + " of output were asked for";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("context_length");
  }
}
