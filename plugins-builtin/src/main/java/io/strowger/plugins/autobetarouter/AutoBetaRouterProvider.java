package io.strowger.plugins.autobetarouter;

import io.strowger.plugins.autorouter.AutoRouterProvider;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * The automatic router under trial, for requests to {@code router/auto-beta}; takes what {@code
 * auto-router} takes but {@code pin_model}. Its entries are checked; the choosing itself is not
 * part of this version.
 *
 * <p>Contract: "Plugins", {@code auto-beta-router}; plugins fact sheet, section 2.
 */
public final class AutoBetaRouterProvider implements PluginProvider {

  private static final Descriptor DESCRIPTOR =
      new Descriptor(
          "auto-beta-router",
          "0",
          11,
          ConfigSchema.of(
              AutoRouterProvider.ALLOWED_MODELS,
              AutoRouterProvider.EXCLUDED_MODELS,
              AutoRouterProvider.COST_TIER,
              AutoRouterProvider.COST_QUALITY_TRADEOFF),
          List.of("router/auto-beta"),
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
