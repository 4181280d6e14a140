package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * Asks several models and lets one compare their answers; stands for the models {@code
 * router/fusion} and {@code router/fusion-flash}. Its entries are checked; the asking itself is not
 * part of this version.
 *
 * <p>Contract: "Plugins", {@code fusion}; plugins fact sheet, section 4.
 */
public final class FusionProvider implements PluginProvider {
  public static final Field<List<String>> ANALYSIS_MODELS =
      Fields.texts(
          "analysis_models", 1, 8, "The models asked, 1 to 8; absent: those of the preset.");

  public static final Field<String> MODEL =
      Fields.text("model", null, "The model that compares the answers.");

  public static final Field<String> PRESET =
      Fields.oneOf(
          "preset",
          List.of("general-high", "general-budget", "general-fast"),
          null,
          "A set of models; explicit analysis_models and model win.");

  public static final Field<Long> MAX_TOOL_CALLS =
      Fields.whole("max_tool_calls", 1, 16, 4L, "Most tool calls of each model asked, 1 to 16.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("fusion")
          .version("0")
          .order(720)
          .fields(ANALYSIS_MODELS, MODEL, PRESET, PanelTool.FIELD, MAX_TOOL_CALLS)
          .slug("router/fusion")
          .slug("router/fusion-flash")
          .status(Descriptor.Status.INACTIVE)
          .build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new Plugin.Inactive("asking several models is not part of this version");
  }
}
