package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.routing.RoutingQuery;
import java.util.ArrayList;
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
  public Test compile(RoutingQuery query, Catalog catalog) {
    List<String> named = new ArrayList<>(0);
    addTags(query.preferences().order(), named);
    List<String> only = query.preferences().only();
    if (only != null) {
      addTags(only, named);
    }
    if (named.isEmpty()) {
      return PLAIN_ONLY;
    }
    ProviderSet optedIn = ProviderSet.ofCaller(named, catalog);
    return endpoint -> endpoint.serviceTier() != null && !optedIn.hasTag(endpoint);
  }

  private static void addTags(List<String> names, List<String> tags) {
    for (int i = 0; i < names.size(); i++) {
      if (ProviderSet.isTag(names.get(i))) {
        tags.add(names.get(i));
      }
    }
  }

  @Override
  public String reason(Endpoint endpoint, RoutingQuery query) {
    return "belongs to the service tier " + endpoint.serviceTier() + ", which was not asked for";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.NO_ENDPOINTS;
  }
}
