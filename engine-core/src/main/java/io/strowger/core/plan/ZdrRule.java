package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Optional;

/** Drops endpoints whose provider may keep prompts, where the caller wants zero data retention. */
final class ZdrRule implements EndpointRule {
  @Override
  public String name() {
    return "provider.zdr";
  }

  @Override
  public Test compile(RuleContext context) {
    return context.query().preferences().zdr()
        ? context.index().traits().retains()
        : Test.KEEPS_ALL;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "may keep prompts";
  }

  @Override
  public ErrorCode errorCode() {
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
