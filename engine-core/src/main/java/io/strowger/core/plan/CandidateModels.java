package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ModelSet;
import io.strowger.spi.plugin.UsableEndpoint;
import io.strowger.spi.plugin.UsableEndpoint.Health;
import io.strowger.spi.plugin.UsableEndpoint.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of one router in one decision. Evaluates a model only when asked about it, so a
 * router that asks about five of four hundred models causes the work for five. Caches nothing.
 */
final class CandidateModels implements Candidates {
  private static final double MICROS = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;

  /**
   * The index from which a router's random numbers are derived; negative, because the shortlists of
   * endpoints use 0 and up.
   */
  private static final int ROUTER_SEED_INDEX = -2;

  private final PlanIndex index;
  private final RuleContext context;
  private final EndpointRule.Test unusableTest;
  private final @Nullable BitSet offered;
  private final Json facts;

  /**
   * @param unusableTest the test that drops endpoints which are not usable
   * @param offered the ordinals of the models that are offered to the router; null to offer every
   *     model that the query may be routed to
   * @param facts the facts the router read from the request
   */
  CandidateModels(
      RuleContext context, EndpointRule.Test unusableTest, @Nullable BitSet offered, Json facts) {
    this.index = context.index();
    this.context = context;
    this.unusableTest = unusableTest;
    this.offered = offered;
    this.facts = facts;
  }

  @Override
  public Catalog catalog() {
    return index.catalog();
  }

  @Override
  public Json facts() {
    return facts;
  }

  /** Returns whether the model is offered to the router, whether or not it is usable. */
  boolean isOffered(int ordinal) {
    if (offered != null) {
      return offered.get(ordinal);
    }
    return ModelNames.isRoutable(model(ordinal), context.query());
  }

  /** Returns whether the endpoint is offered to the router and usable. */
  boolean isOfferedAndUsable(Endpoint endpoint) {
    return isOffered(endpoint.modelOrdinal()) && keeps(endpoint);
  }

  private boolean keeps(Endpoint endpoint) {
    return !unusableTest.drops(endpoint);
  }

  @Override
  public boolean isUsable(int ordinal) {
    if (!isOffered(ordinal)) {
      return false;
    }
    ModelEndpoints endpoints = index.endpoints(model(ordinal));
    for (int i = 0; i < endpoints.size(); i++) {
      if (keeps(endpoints.endpoint(i))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<UsableEndpoint> endpoints(int ordinal) {
    var result = new ArrayList<UsableEndpoint>();
    if (isOffered(ordinal)) {
      ModelEndpoints endpoints = index.endpoints(model(ordinal));
      for (int i = 0; i < endpoints.size(); i++) {
        if (keeps(endpoints.endpoint(i))) {
          result.add(toUsable(endpoints.endpoint(i)));
        }
      }
    }
    return result;
  }

  private UsableEndpoint toUsable(Endpoint endpoint) {
    Pricing prices =
        endpoint.pricing().effective(context.query().promptTokens(), context.query().at());
    return new UsableEndpoint(
        endpoint, prices.price(Price.PROMPT), prices.price(Price.COMPLETION), health(endpoint));
  }

  private Health health(Endpoint endpoint) {
    EndpointStatistics statistics = context.statistics().of(endpoint);
    long latency = EndpointSpeeds.latency(endpoint, statistics, Percentile.P50);
    long throughput = EndpointSpeeds.throughput(endpoint, statistics, Percentile.P50);
    return new Health(
        latency == EndpointSpeeds.UNKNOWN ? -1 : latency / MICROS_PER_MILLI,
        throughput == EndpointSpeeds.UNKNOWN ? -1 : throughput / MICROS,
        statistics.uptimePercent(CountingPeriod.HALF_HOUR).orElse(-1),
        switch (statistics.uptime()) {
          case NORMAL -> Status.NORMAL;
          case DEGRADED -> Status.DEGRADED;
          case DOWN -> Status.DOWN;
        });
  }

  @Override
  public long blendedPrice(int ordinal) {
    if (isOffered(ordinal)) {
      ModelEndpoints endpoints = index.endpoints(model(ordinal));
      for (int i = 0; i < endpoints.size(); i++) { // cheapest first
        if (keeps(endpoints.endpoint(i))) {
          return endpoints.endpoint(i).blendedPrice();
        }
      }
    }
    return Long.MAX_VALUE;
  }

  @Override
  public long promptPicos(int ordinal) {
    long min = Long.MAX_VALUE;
    if (isOffered(ordinal)) {
      ModelEndpoints endpoints = index.endpoints(model(ordinal));
      for (int i = 0; i < endpoints.size(); i++) {
        Endpoint endpoint = endpoints.endpoint(i);
        if (keeps(endpoint)) {
          min =
              Math.min(
                  min,
                  endpoint
                      .pricing()
                      .effective(context.query().promptTokens(), context.query().at())
                      .picos(Price.PROMPT));
        }
      }
    }
    return min;
  }

  @Override
  public double throughput(int ordinal) {
    long max = -1;
    if (isOffered(ordinal)) {
      ModelEndpoints endpoints = index.endpoints(model(ordinal));
      for (int i = 0; i < endpoints.size(); i++) {
        Endpoint endpoint = endpoints.endpoint(i);
        if (keeps(endpoint)) {
          max =
              Math.max(
                  max,
                  EndpointSpeeds.throughput(
                      endpoint, context.statistics().of(endpoint), Percentile.P50));
        }
      }
    }
    return max < 0 ? -1 : max / MICROS;
  }

  @Override
  public boolean isSticky(int ordinal) {
    List<String> sticky = context.query().stickyEndpoints();
    for (int i = 0; i < sticky.size(); i++) {
      IndexedEndpoint indexed = index.endpoint(sticky.get(i));
      if (indexed != null
          && indexed.endpoint().modelOrdinal() == ordinal
          && isOfferedAndUsable(indexed.endpoint())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long random(int n) {
    return SplitMix64.derive(SplitMix64.derive(context.query().seed(), ROUTER_SEED_INDEX), n);
  }

  @Override
  public ModelSet matching(List<String> patterns) {
    return index.matching(patterns);
  }
}
