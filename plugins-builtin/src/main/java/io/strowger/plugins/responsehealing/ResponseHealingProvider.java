package io.strowger.plugins.responsehealing;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;

/**
 * Repairs the syntax of a JSON answer that is no stream: brackets and quotes that are missing,
 * fences and words around the JSON, commas too many or too few, names without quotes and the like.
 * JSON that is right is not touched, whatever its schema says. Takes no configuration.
 *
 * <p>Contract: "Plugins", {@code response-healing}; plugins fact sheet, section 8.
 */
public final class ResponseHealingProvider implements PluginProvider {
  static final String ID = "response-healing";

  private static final Descriptor DESCRIPTOR = Descriptor.interceptor(ID).order(600).build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new ResponseHealing();
  }
}
