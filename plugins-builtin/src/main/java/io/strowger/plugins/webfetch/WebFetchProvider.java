package io.strowger.plugins.webfetch;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * Lets a model read pages. Cannot be switched off in an entry: a request that does not want it does
 * not name it. Its entries are checked; the fetching itself is not part of this version.
 *
 * <p>Contract: "Plugins", {@code web-fetch}; plugins fact sheet, section 6.
 */
public final class WebFetchProvider implements PluginProvider {
  public static final Field<List<String>> ALLOWED_DOMAINS =
      Fields.texts("allowed_domains", "Only pages of these domains.");

  public static final Field<List<String>> BLOCKED_DOMAINS =
      Fields.texts("blocked_domains", "No pages of these domains.");

  public static final Field<Long> MAX_CONTENT_TOKENS =
      Fields.whole(
          "max_content_tokens",
          1,
          Long.MAX_VALUE,
          null,
          "Tokens of a page, roughly, at least 1; what is longer is cut.");

  public static final Field<Long> MAX_USES =
      Fields.whole(
          "max_uses",
          1,
          Long.MAX_VALUE,
          null,
          "Most pages per request, at least 1; beyond it the tool gives an error.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("web-fetch")
          .version("0")
          .order(710)
          .schema(
              new ConfigSchema(
                  List.of(ALLOWED_DOMAINS, BLOCKED_DOMAINS, MAX_CONTENT_TOKENS, MAX_USES), false))
          .status(Descriptor.Status.INACTIVE)
          .build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new Plugin.Inactive("fetching pages is not part of this version");
  }
}
