package io.strowger.plugins.contextcompression;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * Shortens the middle of a conversation until it fits the chosen endpoint. By default it also acts
 * on endpoints with a small context, unless it is switched off.
 *
 * <p>Contract: "Plugins", {@code context-compression}; plugins fact sheet, section 9.
 */
public final class ContextCompressionProvider implements PluginProvider {
  public static final Field<String> ENGINE =
      Fields.oneOf(
          "engine",
          List.of("middle-out"),
          "middle-out",
          "Which part of the conversation is shortened: only the middle is supported.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("context-compression")
          .order(800)
          .fields(ENGINE)
          .trait(Descriptor.Trait.COMPRESSES_PROMPTS)
          .build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new ContextCompression(config.get(ENGINE));
  }
}
