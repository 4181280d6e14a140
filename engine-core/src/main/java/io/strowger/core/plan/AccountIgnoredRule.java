package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/** Drops endpoints the account never uses, whatever the caller asks for. */
final class AccountIgnoredRule implements Rule {
  @Override
  public String name() {
    return "account.ignored_providers";
  }

  @Override
  public Test compile(Scope scope) {
    List<String> names = scope.query().account().ignoredProviders();
    if (names.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    ProviderSet ignored = ProviderSet.ofAccount(names, scope.index());
    return ignored::matches;
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
    return Subject.ACCOUNT;
  }
}
