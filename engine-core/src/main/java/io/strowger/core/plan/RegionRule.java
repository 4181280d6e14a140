package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.error.ErrorCode;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Drops endpoints that compute in another region than the request may leave, and those that do not
 * say where they do.
 */
final class RegionRule implements EndpointRule {
  @Override
  public String name() {
    return "region";
  }

  @Override
  public Test compile(RuleContext context) {
    String region = context.query().region();
    if (region == null) {
      return Test.KEEPS_ALL;
    }
    var inside = new BitSet();
    List<ProviderInfo> providers = context.catalog().providers();
    for (int i = 0; i < providers.size(); i++) {
      inside.set(i, region.equalsIgnoreCase(providers.get(i).region()));
    }
    return endpoint -> !inside.get(endpoint.providerOrdinal());
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    String where = endpoint.provider().region();
    String wanted = ", must be " + context.query().region();
    return (where == null ? "does not say where it computes" : "computes in " + where) + wanted;
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }

  @Override
  public Optional<String> excludedBy() {
    return Optional.of("data_region");
  }
}
