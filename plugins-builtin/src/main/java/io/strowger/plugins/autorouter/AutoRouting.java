package io.strowger.plugins.autorouter;

import io.strowger.plugins.tasks.TaskClassifier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.PerCatalog;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.List;
import java.util.Objects;

/** Creates the routers of {@code auto-router} and {@code auto-beta-router}. Safe on any thread. */
public final class AutoRouting {
  /** The names of the cost tiers, cheapest first. */
  static final List<String> TIERS = List.of("low", "medium", "high", "xhigh", "max");

  private static final int CEILING_STEP = 8;
  private static final int HIGHEST_CEILING = 90;

  private final TaskClassifier classifier;
  private final PerCatalog<ModelRankings> rankings = new PerCatalog<>(ModelRankings::of);

  public AutoRouting(TaskClassifier classifier) {
    this.classifier = Objects.requireNonNull(classifier, "classifier");
  }

  /**
   * @param pinsModel whether to continue with the model of the latest answer
   */
  public RouterPlugin create(PluginConfig config, Catalog catalog, boolean pinsModel) {
    int tradeoff = config.get(AutoRouterProvider.COST_QUALITY_TRADEOFF).intValue();
    boolean hasTier = config.isSet(AutoRouterProvider.COST_TIER);
    var options =
        new AutoRouter.Options(
            config.get(AutoRouterProvider.ALLOWED_MODELS),
            config.get(AutoRouterProvider.EXCLUDED_MODELS),
            hasTier ? TIERS.indexOf(config.get(AutoRouterProvider.COST_TIER)) : -1,
            HIGHEST_CEILING - CEILING_STEP * tradeoff,
            pinsModel);
    return new AutoRouter(rankings.of(catalog), classifier, options);
  }
}
