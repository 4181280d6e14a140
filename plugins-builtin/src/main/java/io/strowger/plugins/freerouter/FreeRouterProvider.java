package io.strowger.plugins.freerouter;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses models that cost nothing, for requests to {@code router/free}: best score first. A model
 * counts when it is free wherever it is served, at every hour and size of prompt, so that no
 * fallback inside of it costs anything. Takes no configuration. Hidden models are not among them.
 *
 * <p>Plugins fact sheet, section 11.
 */
public final class FreeRouterProvider implements PluginProvider {
  /** As many as a request may try. */
  private static final int MOST = 10;

  private static final Descriptor DESCRIPTOR =
      new Descriptor(
          "free-router",
          "1",
          13,
          ConfigSchema.of(),
          List.of("router/free"),
          Descriptor.Status.ACTIVE);

  private static final Comparator<ModelInfo> BEST_FIRST =
      Comparator.<ModelInfo>comparingDouble(model -> known(model.intelligenceScore()))
          .thenComparingDouble(model -> known(model.codingScore()))
          .reversed()
          .thenComparing(ModelInfo::id);

  private record FreeModels(int[] places) implements Prepared {}

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Prepared prepare(Catalog catalog) {
    return new FreeModels(
        catalog.models().stream()
            .filter(model -> !model.hidden() && isFree(model))
            .sorted(BEST_FIRST)
            .mapToInt(ModelInfo::ordinal)
            .toArray());
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

  private static double known(@Nullable Double score) {
    return score == null ? -1 : score;
  }

  @Override
  public Plugin create(PluginConfig config, Prepared prepared) {
    return new FreeRouter(((FreeModels) prepared).places());
  }

  /** Chooses by nothing but what may be used. */
  private record FreeRouter(int[] places) implements RouterPlugin {
    @Override
    public Selection select(Feasible feasible, Json facts) {
      var ids = new ArrayList<String>();
      for (int i = 0; i < places.length && ids.size() < MOST; i++) {
        if (feasible.feasible(places[i])) {
          ids.add(feasible.model(places[i]).id());
        }
      }
      return ids.isEmpty()
          ? new Selection.None(
              ErrorCode.CONSTRAINT_FILTERED, "No free model meets the request's constraints")
          : new Selection.Models(ids, "free models, best score first");
    }
  }
}
