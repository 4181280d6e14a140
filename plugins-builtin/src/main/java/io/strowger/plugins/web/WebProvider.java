package io.strowger.plugins.web;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * Searches once per request and puts what it found before the model; also meant by the suffix
 * {@code :online}. Its entries are checked; the searching itself is not part of this version.
 *
 * <p>Contract: "Plugins", {@code web}; plugins fact sheet, section 5.
 */
public final class WebProvider implements PluginProvider {
  public static final Field<String> ENGINE =
      Fields.oneOf(
          "engine",
          List.of("native", "exa", "firecrawl", "parallel", "perplexity"),
          null,
          "Which search engine; absent: the upstream's own, where it has one.");

  public static final Field<String> MODE =
      Fields.oneOf(
          "mode",
          List.of(
              "instant",
              "fast",
              "auto",
              "deep-lite",
              "deep",
              "deep-reasoning",
              "turbo",
              "basic",
              "advanced"),
          null,
          "How thoroughly the engine searches; one that is another engine's is ignored.");

  public static final Field<String> SEARCH_PROMPT =
      Fields.text("search_prompt", null, "Put before the results; absent: a text of our own.");

  public static final Field<Long> MAX_RESULTS =
      Fields.whole("max_results", 1, Long.MAX_VALUE, 5L, "Most results, at least 1.");

  public static final Field<Long> MAX_USES =
      Fields.whole("max_uses", 1, Long.MAX_VALUE, null, "Most searches per turn, at least 1.");

  public static final Field<List<String>> INCLUDE_DOMAINS =
      Fields.texts("include_domains", "Only these domains; wildcards and paths allowed.");

  public static final Field<List<String>> EXCLUDE_DOMAINS =
      Fields.texts("exclude_domains", "None of these domains; wildcards and paths allowed.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("web")
          .version("0")
          .order(500)
          .fields(
              ENGINE,
              MODE,
              SEARCH_PROMPT,
              MAX_RESULTS,
              MAX_USES,
              INCLUDE_DOMAINS,
              EXCLUDE_DOMAINS,
              UserLocation.FIELD)
          .status(Descriptor.Status.INACTIVE)
          .build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new Plugin.Inactive("searching is not part of this version");
  }
}
