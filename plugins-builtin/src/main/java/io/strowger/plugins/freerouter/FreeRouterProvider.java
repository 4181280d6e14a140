package io.strowger.plugins.freerouter;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.PerCatalog;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import java.util.ArrayList;
import java.util.Comparator;

/**
 * Chooses a free model at random for requests to {@code router/free}, all with equal probability;
 * further randomly chosen models are the fallbacks. A model is free when every endpoint that serves
 * it is free at every hour and size of prompt, so that no fallback within the model costs anything.
 * Has no configuration. Hidden models are never chosen.
 *
 * <p>Plugins fact sheet, section 11.
 */
public final class FreeRouterProvider implements PluginProvider {
  /** The most models that a request may try. */
  private static final int MOST = 10;

  private static final Descriptor DESCRIPTOR =
      Descriptor.router("free-router").order(13).slug("router/free").build();

  private final PerCatalog<int[]> freeModels = new PerCatalog<>(FreeRouterProvider::freeModels);

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  /** Returns the ordinals of the free models, in the order of their ids. */
  private static int[] freeModels(Catalog catalog) {
    return catalog.models().stream()
        .filter(model -> !model.hidden() && isFree(model))
        .sorted(Comparator.comparing(ModelInfo::id))
        .mapToInt(ModelInfo::ordinal)
        .toArray();
  }

  private static boolean isFree(ModelInfo model) {
    return !model.endpoints().isEmpty()
        && model.endpoints().stream().map(Endpoint::pricing).allMatch(FreeRouterProvider::isFree);
  }

  private static boolean isFree(Pricing pricing) {
    for (Price price : Price.values()) {
      if (pricing.picos(price) != 0) {
        return false;
      }
    }
    return pricing.overrides().stream()
        .flatMap(override -> override.prices().values().stream())
        .allMatch(price -> price.picos() == 0);
  }

  @Override
  public RouterPlugin create(PluginConfig config, Catalog catalog) {
    return new FreeRouter(freeModels.of(catalog));
  }

  /**
   * Chooses at random among the models that may be used.
   *
   * @param places the models' ordinals in the catalog, in the order of their ids
   */
  private record FreeRouter(int[] places) implements RouterPlugin {
    private static final int HALF = 32; // half of the 64 random bits

    @Override
    public Selection select(Candidates candidates) {
      int[] left = new int[places.length];
      int count = 0;
      for (int place : places) {
        if (candidates.isUsable(place)) {
          left[count++] = place;
        }
      }
      var ids = new ArrayList<String>();
      for (int i = 0; i < count && ids.size() < MOST; i++) {
        int drawn = i + (int) ((candidates.random(i) >>> HALF) * (count - i) >>> HALF);
        ids.add(candidates.model(left[drawn]).id());
        left[drawn] = left[i];
      }
      return ids.isEmpty()
          ? new Selection.None(
              ErrorCode.CONSTRAINT_FILTERED, "No free model meets the request's constraints")
          : new Selection.Models(ids, "free models, each as likely as the others");
    }
  }
}
