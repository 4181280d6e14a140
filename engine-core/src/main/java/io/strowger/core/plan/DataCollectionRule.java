package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Optional;

/** Drops endpoints whose provider may train on prompts, where the caller denies data collection. */
final class DataCollectionRule implements EndpointRule {
  @Override
  public String name() {
    return "provider.data_collection";
  }

  @Override
  public Test compile(RuleContext context) {
    return context.query().preferences().denyDataCollection()
        ? context.index().traits().trains()
        : Test.KEEPS_ALL;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "may train on prompts";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.PRIVACY_RESTRICTED;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("data_policy:training");
  }

  @Override
  public Subject subject() {
    return Subject.PREFERENCES;
  }
}
