package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/** Drops endpoints the caller's list of allowed ones does not match. */
final class OnlyRule implements Rule {
  @Override
  public String name() {
    return "provider.only";
  }

  @Override
  public Test compile(Scope scope) {
    List<String> only = scope.query().preferences().only();
    return only == null ? Test.KEEPS_ALL : ProviderSet.othersThan(only, scope);
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    List<String> only = scope.query().preferences().only();
    return "permits " + Names.shown(only == null ? List.of() : only);
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
