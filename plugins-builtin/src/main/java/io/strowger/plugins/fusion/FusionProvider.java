package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PerCatalog;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.routing.ModelRef;
import java.util.List;
import java.util.Map;

/**
 * Asks several models at once, lets one compare their answers, and gives the comparison to the
 * model that answers the caller. Provides the models {@code router/fusion} and {@code
 * router/fusion-flash}, works with any other model as a plugin, and provides the tool {@code
 * router:fusion}.
 *
 * <p>Contract: "Plugins", {@code fusion}; plugins fact sheet, section 4.
 */
public final class FusionProvider implements PluginProvider.Configurable {
  static final String FUSION = "router/fusion";
  static final String FLASH = "router/fusion-flash";

  public static final Field<List<String>> ANALYSIS_MODELS =
      Fields.texts(
          "analysis_models", 1, 8, "The panel models, 1 to 8. If absent, those of the preset.");

  public static final Field<String> MODEL =
      Fields.text("model", null, "The model that compares the answers.");

  public static final Field<String> PRESET =
      Fields.oneOf(
          "preset",
          Panels.PRESETS,
          null,
          "The name of a set of models. analysis_models and model take precedence over it.");

  public static final Field<Long> MAX_TOOL_CALLS =
      Fields.integer(
          "max_tool_calls",
          1,
          16,
          4L,
          "The maximum number of tool calls of each panel model, from 1 to 16.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("fusion")
          .order(650)
          .fields(ANALYSIS_MODELS, MODEL, PRESET, PanelTool.FIELD, MAX_TOOL_CALLS)
          .slug(FUSION)
          .slug(FLASH)
          .build();

  /** Setting: the panels of the built-in presets. */
  static final Field<Map<String, PresetPanel>> PRESETS =
      new Field<>(
          "presets",
          PresetPanel::read,
          Map.of(),
          "For each preset, analysis_models (the panel, 1 to 8 models) and model (which "
              + "compares their answers). If a preset is absent, its models are chosen from the"
              + " catalog.",
          PresetPanel.schema(),
          false);

  private final PerCatalog<Panels> panels;

  /** Creates a provider whose panels are chosen from the catalog. */
  public FusionProvider() {
    this(Map.of());
  }

  private FusionProvider(Map<String, PresetPanel> configured) {
    panels = new PerCatalog<>(catalog -> Panels.of(catalog, configured));
  }

  /** Returns whether a model name is one of this plugin's slugs. */
  static boolean isSlug(ModelRef model) {
    return model.slug().equalsIgnoreCase(FUSION) || model.slug().equalsIgnoreCase(FLASH);
  }

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Interceptor create(PluginConfig config, Catalog catalog) {
    return new Fusion(config, panels.of(catalog));
  }

  @Override
  public List<ServerTool> tools() {
    return List.of(new FusionTool(panels));
  }

  @Override
  public ConfigSchema settings() {
    return new ConfigSchema(List.of(PRESETS), false);
  }

  @Override
  public PluginProvider with(PluginConfig settings) {
    return new FusionProvider(settings.get(PRESETS));
  }
}
