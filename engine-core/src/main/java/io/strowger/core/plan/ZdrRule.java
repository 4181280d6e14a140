package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Optional;

/** Drops endpoints whose provider may keep prompts, where the caller wants zero data retention. */
final class ZdrRule implements Rule {
  @Override
  public String name() {
    return "provider.zdr";
  }

  @Override
  public Test compile(Scope scope) {
    return scope.query().preferences().zdr() ? scope.index().traits().retains() : Test.KEEPS_ALL;
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    return "may keep prompts";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.PRIVACY_RESTRICTED;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("data_policy:zdr");
  }

  @Override
  public Subject subject() {
    return Subject.PREFERENCES;
  }
}
