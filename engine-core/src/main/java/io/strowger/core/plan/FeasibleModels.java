package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a router may choose from: the models with an endpoint that may be used. Looks at a model
 * when it is asked about it and remembers nothing, so a router that asks about five of four hundred
 * pays for five.
 */
final class FeasibleModels implements RouterPlugin.Feasible {
  private static final double MICROS = 1e6;

  /** Beside the seeds of the groups of endpoints, which are numbered from 0. */
  private static final int CHANCE_OF_ROUTERS = -2;

  private final PlanIndex index;
  private final Scope scope;
  private final Rule.Test unusable;
  private final @Nullable BitSet among;

  /**
   * @param unusable drops what is not offered
   * @param among models by their place in the catalog; null: every model that is visible
   */
  FeasibleModels(PlanIndex index, Scope scope, Rule.Test unusable, @Nullable BitSet among) {
    this.index = index;
    this.scope = scope;
    this.unusable = unusable;
    this.among = among;
  }

  @Override
  public Catalog catalog() {
    return index.catalog();
  }

  @Override
  public int models() {
    return index.catalog().models().size();
  }

  @Override
  public ModelInfo model(int place) {
    return index.catalog().models().get(place);
  }

  /** The model may be spoken of at all. */
  boolean isOffered(int place) {
    if (among != null) {
      return among.get(place);
    }
    return ModelNames.isVisible(model(place), scope.query());
  }

  /** The endpoint may be used. */
  boolean offers(Endpoint endpoint) {
    return isOffered(endpoint.modelOrdinal()) && keeps(endpoint);
  }

  private boolean keeps(Endpoint endpoint) {
    return !unusable.drops(endpoint);
  }

  @Override
  public boolean feasible(int place) {
    if (!isOffered(place)) {
      return false;
    }
    ModelEndpoints endpoints = index.endpoints(model(place));
    for (int i = 0; i < endpoints.size(); i++) {
      if (keeps(endpoints.endpoint(i))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long price(int place) {
    if (isOffered(place)) {
      ModelEndpoints endpoints = index.endpoints(model(place));
      for (int i = 0; i < endpoints.size(); i++) { // cheapest first
        if (keeps(endpoints.endpoint(i))) {
          return endpoints.endpoint(i).blendedPrice();
        }
      }
    }
    return Long.MAX_VALUE;
  }

  @Override
  public long promptPicos(int place) {
    long least = Long.MAX_VALUE;
    if (isOffered(place)) {
      ModelEndpoints endpoints = index.endpoints(model(place));
      for (int i = 0; i < endpoints.size(); i++) {
        Endpoint endpoint = endpoints.endpoint(i);
        if (keeps(endpoint)) {
          least =
              Math.min(
                  least,
                  endpoint
                      .pricing()
                      .effective(scope.query().promptTokens(), scope.query().at())
                      .picos(Price.PROMPT));
        }
      }
    }
    return least;
  }

  @Override
  public double throughput(int place) {
    long most = 0;
    if (isOffered(place)) {
      ModelEndpoints endpoints = index.endpoints(model(place));
      for (int i = 0; i < endpoints.size(); i++) {
        Endpoint endpoint = endpoints.endpoint(i);
        if (keeps(endpoint)) {
          most =
              Math.max(
                  most,
                  Speeds.throughput(endpoint, scope.statistics().of(endpoint), Percentile.P50));
        }
      }
    }
    return most / MICROS;
  }

  @Override
  public boolean sticky(int place) {
    List<String> sticky = scope.query().sticky();
    for (int i = 0; i < sticky.size(); i++) {
      Slot slot = index.slot(sticky.get(i));
      if (slot != null && slot.endpoint().modelOrdinal() == place && offers(slot.endpoint())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long chance(int n) {
    return SplitMix64.derive(SplitMix64.derive(scope.query().seed(), CHANCE_OF_ROUTERS), n);
  }

  @Override
  public RouterPlugin.ModelSet matching(List<String> patterns) {
    return index.matching(patterns);
  }
}
