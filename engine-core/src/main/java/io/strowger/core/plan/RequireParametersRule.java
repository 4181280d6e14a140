package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Drops endpoints that do not take every parameter of the request, where the caller requires it.
 * Parameters that say the same in other words count as one.
 */
final class RequireParametersRule implements EndpointRule {
  private static final long LENGTH =
      Parameter.mask(List.of(Parameter.MAX_TOKENS, Parameter.MAX_COMPLETION_TOKENS));
  private static final long REASONING =
      Parameter.mask(
          List.of(Parameter.REASONING, Parameter.REASONING_EFFORT, Parameter.INCLUDE_REASONING));

  @Override
  public String name() {
    return "provider.require_parameters";
  }

  @Override
  public Test compile(RuleContext context) {
    long asked = context.query().parameters();
    return context.query().preferences().requireParameters() && asked != 0
        ? context.index().traits().requiringAll(asked)
        : Test.KEEPS_ALL;
  }

  /** Mask of the parameters an endpoint takes, in whichever words. */
  static long taken(Endpoint endpoint) {
    long taken = endpoint.parameters();
    taken |= (taken & LENGTH) != 0 ? LENGTH : 0;
    return taken | ((taken & REASONING) != 0 ? REASONING : 0);
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    var names = new StringJoiner(", ", "does not take ", "");
    long missing = context.query().parameters() & ~taken(endpoint);
    for (Parameter parameter : Parameter.values()) {
      if ((missing & parameter.bit()) != 0) {
        names.add(parameter.wireName());
      }
    }
    return names.toString();
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("require_parameters");
  }

  @Override
  public Subject subject() {
    return Subject.PREFERENCES;
  }
}
