package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.routing.RoutingQuery;
import java.util.List;
import java.util.Optional;

/** Drops endpoints the account does not allow; the caller's own list narrows inside it. */
final class AccountAllowedRule implements Rule {
  @Override
  public String name() {
    return "account.allowed_providers";
  }

  @Override
  public Test compile(RoutingQuery query, Catalog catalog) {
    List<String> ceiling = query.account().allowedProviders();
    if (ceiling == null) {
      return Test.KEEPS_ALL;
    }
    ProviderSet allowed = ProviderSet.ofAccount(ceiling, catalog);
    return endpoint -> !allowed.matches(endpoint);
  }

  @Override
  public String reason(Endpoint endpoint, RoutingQuery query) {
    List<String> allowed = query.account().allowedProviders();
    return "permits " + Names.shown(allowed == null ? List.of() : allowed);
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.NO_ENDPOINTS;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("allowed_providers");
  }
}
