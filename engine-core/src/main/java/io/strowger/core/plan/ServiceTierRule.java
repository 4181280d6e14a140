package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;

/**
 * Drops endpoints of a service tier that nobody opted in to. Naming such an endpoint by its tag in
 * {@code only} or {@code order} opts in to it.
 */
final class ServiceTierRule implements Rule {
  private static final Test PLAIN_ONLY = endpoint -> endpoint.serviceTier() != null;

  @Override
  public String name() {
    return "service_tier";
  }

  @Override
  public Test compile(Scope scope) {
    List<String> order = scope.query().preferences().order();
    List<String> only = scope.query().preferences().only();
    if (!anyTag(order) && (only == null || !anyTag(only))) {
      return PLAIN_ONLY;
    }
    ProviderSet first = ProviderSet.ofCaller(order, scope.catalog());
    ProviderSet alone = ProviderSet.ofCaller(only == null ? List.of() : only, scope.catalog());
    return endpoint ->
        endpoint.serviceTier() != null && !first.hasTag(endpoint) && !alone.hasTag(endpoint);
  }

  private static boolean anyTag(List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      if (ProviderSet.isTag(names.get(i))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    return "belongs to the service tier " + endpoint.serviceTier() + ", which was not asked for";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.NO_ENDPOINTS;
  }
}
