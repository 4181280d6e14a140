package io.strowger.plugins.autorouter;

import io.strowger.plugins.tasks.TaskClassifier;
import io.strowger.plugins.tasks.WordClassifier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.List;

/**
 * The beta of the automatic router, for requests to {@code router/auto-beta}. It has the options of
 * {@code auto-router} except {@code pin_model}, and chooses in the same way. An account's defaults
 * for {@code auto-router} apply too.
 *
 * <p>Contract: "Plugins", {@code auto-beta-router}; plugins fact sheet, section 2.
 */
public final class AutoBetaRouterProvider implements PluginProvider {
  private static final Descriptor DESCRIPTOR =
      Descriptor.router("auto-beta-router")
          .order(11)
          .fields(
              AutoRouterProvider.ALLOWED_MODELS,
              AutoRouterProvider.EXCLUDED_MODELS,
              AutoRouterProvider.COST_TIER,
              AutoRouterProvider.COST_QUALITY_TRADEOFF)
          .slug("router/auto-beta")
          .build();

  private final AutoRouterProvider router;

  /** Creates a provider that uses a {@link WordClassifier}. */
  public AutoBetaRouterProvider() {
    this(new WordClassifier());
  }

  /**
   * @param classifier determines the kind of task
   */
  public AutoBetaRouterProvider(TaskClassifier classifier) {
    router = new AutoRouterProvider(classifier);
  }

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public List<String> inheritsDefaultsFrom() {
    return List.of("auto-router");
  }

  @Override
  public RouterPlugin create(PluginConfig config, Catalog catalog) {
    return router.create(config, catalog, false);
  }
}
