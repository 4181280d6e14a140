package io.strowger.core.plan;

import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;

/**
 * Drops endpoints whose context cannot hold the prompt and the requested output. If the prompt may
 * be compressed to fit, half of that context is enough; if no endpoint has even that, {@link
 * Planner} takes the endpoints with the largest context. Plugins fact sheet, section 9.
 */
final class ContextLengthRule {
  private ContextLengthRule() {}

  static Test compile(RuleContext context) {
    RoutingQuery query = context.query();
    long requiredTokens = requiredTokens(query);
    if (requiredTokens <= context.index().traits().minContext()) {
      return Test.KEEPS_ALL;
    }
    ContextCompressionScope compression = query.compression();
    long minContext = minContextToCompressTo(context);
    return endpoint ->
        isTooShort(endpoint, requiredTokens)
            && (endpoint.contextLength() < minContext || !compression.covers(endpoint));
  }

  static boolean isTooShort(Endpoint endpoint, long requiredTokens) {
    return endpoint.contextLength() > 0 && endpoint.contextLength() < requiredTokens;
  }

  static long requiredTokens(RoutingQuery query) {
    return Math.min(query.promptTokens(), Integer.MAX_VALUE) + query.outputLimit();
  }

  /**
   * Returns the smallest context that the prompt may be compressed to, in tokens. This context
   * exceeds the output, to leave room for the prompt.
   */
  private static long minContextToCompressTo(RuleContext context) {
    long minContext =
        context.minContextToCompressTo() < 0
            ? (requiredTokens(context.query()) + 1) / 2
            : context.minContextToCompressTo();
    return Math.max(minContext, context.query().outputLimit() + 1L);
  }

  /** Returns whether the prompt must be compressed to fit this endpoint. */
  static boolean needsCompression(Endpoint endpoint, RoutingQuery query) {
    return query.compression().covers(endpoint) && isTooShort(endpoint, requiredTokens(query));
  }

  static String reason(Endpoint endpoint, RuleContext context) {
    RoutingQuery query = context.query();
    boolean onlyOutput =
        query.compression().covers(endpoint) && endpoint.contextLength() <= query.outputLimit();
    return "has a context of "
        + endpoint.contextLength()
        + " tokens, "
        + (onlyOutput ? "" : "about " + query.promptTokens() + " of prompt and ")
        + query.outputLimit()
        + " of output were asked for";
  }

  static String advice(RuleContext context) {
    return switch (context.query().compression()) {
      case UNAVAILABLE, ALL -> "";
      case OFF, SMALL_CONTEXTS ->
          "; with {\"id\":\"context-compression\"} in plugins, messages from the middle are left"
              + " out until the rest fits";
    };
  }
}
