package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/** Drops endpoints the caller does not want. */
final class IgnoreRule implements EndpointRule {
  @Override
  public String name() {
    return "provider.ignore";
  }

  @Override
  public Test compile(RuleContext context) {
    List<String> names = context.query().preferences().ignore();
    if (names.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    return ProviderSet.ofCaller(names, context);
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "ignored";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.NO_ENDPOINTS;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("allowed_providers");
  }

  @Override
  public Subject subject() {
    return Subject.PREFERENCES;
  }
}
