package io.strowger.plugins.autorouter;

import io.strowger.plugins.tasks.TaskClassifier;
import io.strowger.plugins.tasks.WordClassifier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.PerCatalog;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.List;
import java.util.Objects;

/**
 * Chooses a model by the kind of task, for requests to {@code router/auto}: the best four within a
 * tier of costs, or under a ceiling, and within the caller's restrictions. Models are compared by
 * list price and by the catalog's scores, because the spend by task that the contract names is not
 * known here.
 *
 * <p>An empty {@code allowed_models} restricts nothing. An account's defaults for {@code
 * auto-beta-router} apply here too.
 *
 * <p>Contract: "Plugins", {@code auto-router}; plugins fact sheet, section 2.
 */
public final class AutoRouterProvider implements PluginProvider {
  /** Bounds of a list of models: entries, characters of one entry, characters in all. */
  private static final int MAX_MODELS = 1024;

  private static final int MAX_CHARS = 1024;
  private static final int MAX_CHARS_IN_ALL = 65_536;

  /** The names of the cost tiers, cheapest first. */
  static final List<String> TIERS = List.of("low", "medium", "high", "xhigh", "max");

  private static final int CEILING_STEP = 8;
  private static final int HIGHEST_CEILING = 90;

  static final Field<List<String>> ALLOWED_MODELS =
      models("allowed_models", "Models to choose from, wildcards with * allowed; absent: all.");

  static final Field<List<String>> EXCLUDED_MODELS =
      models("excluded_models", "Models never chosen, applied after allowed_models.");

  static final Field<String> COST_TIER =
      Fields.oneOf(
          "cost_tier",
          TIERS,
          null,
          "The tier of costs to choose from; each has a fifth of the cost percentiles. Takes"
              + " precedence over cost_quality_tradeoff.");

  static final Field<Long> COST_QUALITY_TRADEOFF =
      Fields.integer(
          "cost_quality_tradeoff",
          0,
          10,
          9L,
          "Deprecated: use cost_tier. From 0 to 10; a higher number prefers cheaper models.");

  static final Field<Boolean> PIN_MODEL =
      Fields.bool(
          "pin_model", false, "Whether the model of the latest assistant message is used again.");

  private static Field<List<String>> models(String name, String doc) {
    return Fields.texts(name, 0, MAX_MODELS, MAX_CHARS, MAX_CHARS_IN_ALL, doc);
  }

  private static final Descriptor DESCRIPTOR =
      Descriptor.router("auto-router")
          .order(10)
          .fields(ALLOWED_MODELS, EXCLUDED_MODELS, COST_TIER, COST_QUALITY_TRADEOFF, PIN_MODEL)
          .slug("router/auto")
          .build();

  private final TaskClassifier classifier;
  private final PerCatalog<ModelRankings> rankings = new PerCatalog<>(ModelRankings::of);

  /** Creates a provider that uses a {@link WordClassifier}. */
  public AutoRouterProvider() {
    this(new WordClassifier());
  }

  /**
   * @param classifier determines the kind of task
   */
  public AutoRouterProvider(TaskClassifier classifier) {
    this.classifier = Objects.requireNonNull(classifier, "classifier");
  }

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public List<String> inheritsDefaultsFrom() {
    return List.of("auto-beta-router");
  }

  @Override
  public RouterPlugin create(PluginConfig config, Catalog catalog) {
    return create(config, catalog, config.get(PIN_MODEL));
  }

  /**
   * @param pinsModel whether to continue with the model of the latest answer
   */
  RouterPlugin create(PluginConfig config, Catalog catalog, boolean pinsModel) {
    int tradeoff = config.get(COST_QUALITY_TRADEOFF).intValue();
    boolean hasTier = config.isSet(COST_TIER);
    var options =
        new AutoRouter.Options(
            config.get(ALLOWED_MODELS),
            config.get(EXCLUDED_MODELS),
            hasTier ? TIERS.indexOf(config.get(COST_TIER)) : -1,
            HIGHEST_CEILING - CEILING_STEP * tradeoff,
            pinsModel);
    return new AutoRouter(rankings.of(catalog), classifier, options);
  }
}
