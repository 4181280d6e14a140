package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/** Drops endpoints the account never uses, whatever the caller asks for. */
final class AccountIgnoredRule implements EndpointRule {
  @Override
  public String name() {
    return "account.ignored_providers";
  }

  @Override
  public Test compile(RuleContext context) {
    List<String> names = context.query().account().ignoredProviders();
    if (names.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    ProviderSet ignored = ProviderSet.ofAccount(names, context.index());
    return ignored::matches;
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
    return Subject.ACCOUNT;
  }
}
