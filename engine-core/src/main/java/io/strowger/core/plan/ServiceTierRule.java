package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.List;

/**
 * Drops endpoints of a service tier that nobody opted in to: neither the request by {@code
 * service_tier}, nor a variant of the model's name, nor {@code only} or {@code order} by naming the
 * endpoint's own tag. Routing fact sheet, section 9.
 */
final class ServiceTierRule implements EndpointRule {
  private static final Test[] ADMITTING = {notOf(0), notOf(1), notOf(2)};

  private static Test notOf(int admitted) {
    return endpoint ->
        endpoint.serviceTier() != null && (ServiceTierMask.of(endpoint) & admitted) == 0;
  }

  @Override
  public String name() {
    return "service_tier";
  }

  @Override
  public Test compile(RuleContext context) {
    if (context.admitted() == ServiceTierMask.ALL || !context.index().traits().hasTiers()) {
      return Test.KEEPS_ALL;
    }
    Test others = ADMITTING[context.admitted()];
    List<String> order = context.query().preferences().order();
    List<String> only = context.query().preferences().only();
    if (!anyTag(order) && (only == null || !anyTag(only))) {
      return others;
    }
    ProviderSet first = ProviderSet.ofCaller(order, context);
    ProviderSet alone = ProviderSet.ofCaller(only == null ? List.of() : only, context);
    return endpoint -> others.drops(endpoint) && !first.hasTag(endpoint) && !alone.hasTag(endpoint);
  }

  private static boolean anyTag(List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      if (ListedNames.isTag(names.get(i))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "belongs to the service tier " + endpoint.serviceTier() + ", which was not asked for";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.NO_ENDPOINTS;
  }
}
