package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/** Drops endpoints the caller does not want. */
final class IgnoreRule implements Rule {
  @Override
  public String name() {
    return "provider.ignore";
  }

  @Override
  public Test compile(Scope scope) {
    List<String> names = scope.query().preferences().ignore();
    if (names.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    return ProviderSet.ofCaller(names, scope);
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    return "ignored";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
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
