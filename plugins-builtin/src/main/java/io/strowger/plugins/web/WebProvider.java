package io.strowger.plugins.web;

import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Searches once per request and gives the results to the model; also enabled by the suffix {@code
 * :online}. Provides the tool {@code router:web_search}. The operator configures the engines in the
 * settings.
 *
 * <p>Contract: "Plugins", {@code web}; plugins fact sheet, section 5.
 */
public final class WebProvider implements PluginProvider.Configurable, PluginProvider.Networked {
  public static final Field<String> ENGINE =
      Fields.oneOf(
          "engine",
          List.of("native", "exa", "firecrawl", "parallel", "perplexity"),
          null,
          "The search engine. If absent, the upstream's own search where it has one.");

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
          "How thoroughly the engine searches. A mode of another engine is ignored.");

  public static final Field<String> SEARCH_PROMPT =
      Fields.text(
          "search_prompt",
          null,
          "The text before the search results. If absent, a default text of the gateway.");

  public static final Field<Long> MAX_RESULTS =
      Fields.integer(
          "max_results", 1, Long.MAX_VALUE, 5L, "The maximum number of results, at least 1.");

  public static final Field<Long> MAX_USES =
      Fields.integer(
          "max_uses",
          1,
          Long.MAX_VALUE,
          null,
          "The maximum number of searches per turn, at least 1.");

  public static final Field<List<String>> INCLUDE_DOMAINS =
      Fields.texts(
          "include_domains", "The only domains to search; wildcards and paths are allowed.");

  public static final Field<List<String>> EXCLUDE_DOMAINS =
      Fields.texts(
          "exclude_domains",
          "The domains to leave out of the search; wildcards and paths are allowed.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("web")
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
          .trait(Descriptor.Trait.ANSWERS_ONLINE)
          .build();

  private final @Nullable WebClient client;
  private final Map<String, SearchEngine> hostEngines;
  private final WebSearch search;

  /** Creates a provider without a transport; its tool and plugin report that they cannot run. */
  public WebProvider() {
    this(null, Map.of(), Map.of(), false);
  }

  /**
   * @param transport connects to the services in the settings; closed by the caller
   */
  public WebProvider(Transport transport) {
    this(transport, Map.of());
  }

  /**
   * @param transport connects to the services; closed by the caller
   * @param engines the host's engines, by their names in the trace; the first is the default unless
   *     the settings say otherwise. An engine with a name of the contract, such as {@code exa}, is
   *     used for that name if the settings have no engine of that name
   */
  public WebProvider(Transport transport, Map<String, SearchEngine> engines) {
    this(new WebClient(transport), engines, engines, !engines.isEmpty());
  }

  private WebProvider(
      @Nullable WebClient client,
      Map<String, SearchEngine> hostEngines,
      Map<String, SearchEngine> engines,
      boolean hasDefault) {
    this.client = client;
    this.hostEngines = Collections.unmodifiableMap(new LinkedHashMap<>(hostEngines));
    search = new WebSearch(client, engines, hasDefault);
  }

  @Override
  public PluginProvider withTransports(Transports transports) {
    return new WebProvider(transports.web());
  }

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public ConfigSchema settings() {
    return SearchSettings.SCHEMA;
  }

  @Override
  public PluginProvider with(PluginConfig settings) {
    boolean hasDefault = settings.isSet(SearchSettings.DEFAULT);
    Map<String, SearchEngine> configured = SearchSettings.engines(settings);
    var engines = new LinkedHashMap<>(hasDefault ? configured : hostEngines);
    engines.putAll(hostEngines);
    engines.putAll(configured); // an engine that is already in the map keeps its position
    return new WebProvider(client, hostEngines, engines, hasDefault || !hostEngines.isEmpty());
  }

  @Override
  public @Nullable String unusableReason(PluginConfig config) {
    String engine = config.isSet(ENGINE) ? config.get(ENGINE) : null;
    return NativeSearch.ENGINE.equals(engine) ? null : search.missingEngineReason(engine);
  }

  @Override
  public List<ServerTool> tools() {
    return List.of(new WebSearchTool(search));
  }

  @Override
  public Interceptor create(PluginConfig config, Catalog catalog) {
    var queryTemplate =
        new SearchEngine.Query(
            "",
            config.isSet(MODE) ? config.get(MODE) : null,
            (int) Math.min(config.get(MAX_RESULTS), WebSearch.MAX_RESULTS),
            0,
            config.get(INCLUDE_DOMAINS),
            config.get(EXCLUDE_DOMAINS),
            config.isSet(UserLocation.FIELD) ? config.get(UserLocation.FIELD).country() : null);
    return new SearchBeforeModel(
        search,
        config.isSet(ENGINE) ? config.get(ENGINE) : null,
        config.isSet(SEARCH_PROMPT) ? config.get(SEARCH_PROMPT) : null,
        queryTemplate,
        parameters(config));
  }

  /** Returns the parameters with which a request would declare the tool. */
  private static Json.Obj parameters(PluginConfig config) {
    var parameters = Json.object();
    if (config.isSet(MAX_USES)) {
      parameters.put("max_uses", config.get(MAX_USES));
    }
    put(parameters, "allowed_domains", config.get(INCLUDE_DOMAINS));
    put(parameters, "excluded_domains", config.get(EXCLUDE_DOMAINS));
    if (config.isSet(UserLocation.FIELD)) {
      parameters.put("user_location", config.get(UserLocation.FIELD).toJson());
    }
    return parameters.build();
  }

  private static void put(Json.Obj.Builder parameters, String name, List<String> domains) {
    if (!domains.isEmpty()) {
      parameters.put(name, Json.array(domains.stream().map(Json::of).toList()));
    }
  }
}
