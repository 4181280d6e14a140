package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/** Drops endpoints the caller's list of allowed ones does not match. */
final class OnlyRule implements EndpointRule {
  @Override
  public String name() {
    return "provider.only";
  }

  @Override
  public Test compile(RuleContext context) {
    List<String> only = context.query().preferences().only();
    return only == null ? Test.KEEPS_ALL : ProviderSet.excludingUnlisted(only, context);
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    List<String> only = context.query().preferences().only();
    return "permits " + NameFormatter.shown(only == null ? List.of() : only);
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
