package io.strowger.plugins.autorouter;

import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * Chooses a model by the kind of task, for requests to {@code router/auto}. Its entries are
 * checked; the choosing itself is not part of this version.
 *
 * <p>Contract: "Plugins", {@code auto-router}; plugins fact sheet, section 2.
 */
public final class AutoRouterProvider implements PluginProvider {
  /** Most entries of a list of models, most characters of one, most of all together. */
  private static final int MOST_MODELS = 1024;

  private static final int MOST_CHARS = 1024;
  private static final int MOST_CHARS_IN_ALL = 65_536;

  public static final Field<List<String>> ALLOWED_MODELS =
      models("allowed_models", "Models to choose from, wildcards with * allowed; absent: all.");

  public static final Field<List<String>> EXCLUDED_MODELS =
      models("excluded_models", "Models never chosen, applied after allowed_models.");

  public static final Field<String> COST_TIER =
      Fields.oneOf(
          "cost_tier",
          List.of("low", "medium", "high", "xhigh", "max"),
          null,
          "Band of the cost percentile, a fifth each. Wins over cost_quality_tradeoff.");

  public static final Field<Long> COST_QUALITY_TRADEOFF =
      Fields.whole(
          "cost_quality_tradeoff",
          0,
          10,
          9L,
          "0 to 10, higher favours cheaper models. Deprecated.");

  public static final Field<Boolean> PIN_MODEL =
      Fields.bool("pin_model", false, "Reuses the model of the latest assistant message.");

  private static Field<List<String>> models(String name, String doc) {
    return Fields.texts(name, 0, MOST_MODELS, MOST_CHARS, MOST_CHARS_IN_ALL, doc);
  }

  private static final Descriptor DESCRIPTOR =
      new Descriptor(
          "auto-router",
          "0",
          10,
          ConfigSchema.of(
              ALLOWED_MODELS, EXCLUDED_MODELS, COST_TIER, COST_QUALITY_TRADEOFF, PIN_MODEL),
          List.of("router/auto"),
          Descriptor.Status.INACTIVE);

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Prepared prepared) {
    return new Plugin.Inactive("choosing by task is not part of this version");
  }
}
