package io.strowger.plugins.bodybuilder;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;

/**
 * Provides the model {@code router/bodybuilder}. Its answer is JSON text with chat bodies that the
 * caller may send: {@code {"requests":[{"model":...,"messages":[...]}]}}. The model is free,
 * because only free models are asked.
 *
 * <p>Contract: plugins fact sheet, section 11, {@code router/bodybuilder}.
 */
public final class BodyBuilderProvider implements PluginProvider {
  static final String ID = "bodybuilder";
  static final String SLUG = "router/bodybuilder";

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor(ID).order(650).slug(SLUG).build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new BodyBuilder();
  }
}
