package io.strowger.plugins.moderation;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * Checks content before and after the call. Takes no configuration and cannot be switched off by a
 * request. The checking itself is not part of this version.
 *
 * <p>Contract: "Plugins", {@code moderation}; plugins fact sheet, section 10.
 */
public final class ModerationProvider implements PluginProvider {

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("moderation")
          .version("0")
          .order(300)
          .schema(new ConfigSchema(List.of(), false))
          .status(Descriptor.Status.INACTIVE)
          .build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new Plugin.Inactive("moderation is not part of this version");
  }
}
