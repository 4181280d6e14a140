package io.strowger.plugins.responsehealing;

import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * Repairs the syntax of a JSON answer that is no stream. Takes no configuration. The repairing
 * itself is not part of this version.
 *
 * <p>Contract: "Plugins", {@code response-healing}; plugins fact sheet, section 8.
 */
public final class ResponseHealingProvider implements PluginProvider {

  private static final Descriptor DESCRIPTOR =
      new Descriptor(
          "response-healing", "0", 600, ConfigSchema.of(), List.of(), Descriptor.Status.INACTIVE);

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Prepared prepared) {
    return new Plugin.Inactive("repairing answers is not part of this version");
  }
}
