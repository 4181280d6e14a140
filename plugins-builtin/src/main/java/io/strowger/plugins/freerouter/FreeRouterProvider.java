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
  private static final int MAX_MODELS = 10;

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
        .filter(model -> !model.isHidden() && isFree(model))
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
   * @param ordinals the models' ordinals in the catalog, in the order of their ids
   */
  private record FreeRouter(int[] ordinals) implements RouterPlugin {
    private static final int HALF_BITS = 32; // half of the 64 random bits

    @Override
    public Selection select(Candidates candidates) {
      int[] usable = new int[ordinals.length];
      int count = 0;
      for (int ordinal : ordinals) {
        if (candidates.isUsable(ordinal)) {
          usable[count++] = ordinal;
        }
      }
      var ids = new ArrayList<String>();
      for (int i = 0; i < count && ids.size() < MAX_MODELS; i++) {
        int chosen = i + (int) ((candidates.random(i) >>> HALF_BITS) * (count - i) >>> HALF_BITS);
        ids.add(candidates.model(usable[chosen]).id());
        usable[chosen] = usable[i];
      }
      return ids.isEmpty()
          ? new Selection.Refusal(
              ErrorCode.CONSTRAINT_FILTERED, "No free model meets the request's constraints")
          : new Selection.Models(ids, "free models, each as likely as the others");
    }
  }
}
