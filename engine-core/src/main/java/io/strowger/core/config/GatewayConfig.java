package io.strowger.core.config;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of a gateway as one immutable value. It is replaced as a whole, and a
 * request keeps the configuration it started with. Read from a file by {@link ConfigReader}, or
 * made in code by {@link #builder}.
 */
public final class GatewayConfig {
  private final ConfigSections sections;
  private final Catalog catalog;
  private final StartOnlyMembers startOnly;

  GatewayConfig(ConfigSections sections, Catalog catalog, StartOnlyMembers startOnly) {
    this.sections = sections;
    this.catalog = catalog;
    this.startOnly = startOnly;
  }

  /** Returns a new builder for a configuration in code. */
  public static ConfigBuilder builder() {
    return new ConfigBuilder();
  }

  /** Returns the settings of the HTTP server. */
  public ServerSettings server() {
    return sections.server;
  }

  /** Returns the timeouts of attempts, streams and whole calls. */
  public Timeouts timeouts() {
    return sections.timeouts;
  }

  /** Returns the settings of streamed answers. */
  public StreamSettings streaming() {
    return sections.stream;
  }

  /** Returns the limits for reading request bodies. */
  public RequestLimits limits() {
    return sections.limits;
  }

  /** Returns the default output length and the account's credits. */
  public MoneySettings money() {
    return sections.money;
  }

  /** Returns where keys, budgets and records are kept. */
  public StoreSettings store() {
    return sections.store;
  }

  /** Returns all providers in the order of the file, also those without endpoints. */
  public List<ProviderConfig> providers() {
    return sections.providers;
  }

  /**
   * Returns the models and endpoints. The version is sixteen hex digits of a hash of {@code
   * providers} and {@code models} without credentials and headers.
   */
  public Catalog catalog() {
    return catalog;
  }

  /** Returns the keys of the file, each with a different id. */
  public List<KeyConfig> keys() {
    return sections.keys;
  }

  /** Returns the provider keys of the file that belong to callers. */
  public List<ByokKey> byokKeys() {
    return sections.byokKeys;
  }

  /** Returns the settings of the account, which apply to every caller. */
  public AccountSettings account() {
    return sections.account;
  }

  /** Returns the settings of plugins. */
  public PluginSettings plugins() {
    return sections.plugins;
  }

  /**
   * Returns the directory of plugin jars as written in the file: the host resolves it against the
   * location of the file. Null when the file names none.
   */
  public @Nullable String pluginsDir() {
    return sections.pluginsDir;
  }

  /** Returns the rate limits of callers. */
  public RateSettings rates() {
    return sections.rates;
  }

  /** Returns the size limits of the response cache. */
  public CacheSettings cache() {
    return sections.cache;
  }

  /** Returns the limits on concurrent work. */
  public OverloadSettings overload() {
    return sections.overload;
  }

  /** Returns the addresses the gateway may connect to on behalf of callers. */
  public NetworkSettings network() {
    return sections.network;
  }

  /** Returns the settings for processing batches. */
  public BatchSettings batches() {
    return sections.batches;
  }

  /** Returns the settings for the engine's metrics and traces. */
  public TelemetrySettings telemetry() {
    return sections.telemetry;
  }

  /**
   * Returns the observability destinations of the file, without those created through the HTTP API.
   */
  public List<DestinationConfig> observabilityDestinations() {
    return sections.destinations;
  }

  /** Returns the settings of the queues in which calls wait for destinations. */
  public DestinationQueueSettings observabilityQueue() {
    return sections.destinationQueue;
  }

  /** Returns one sentence for each member of the file that has no effect yet. */
  public List<String> unusedMemberWarnings() {
    String member = "enable_free_model_publication";
    return account().guardrails().stream()
            .anyMatch(guardrail -> guardrail.body().get(member) instanceof Json.Bool)
        ? List.of("account.guardrails." + member + " has no effect yet: nothing is limited by it")
        : List.of();
  }

  /**
   * Returns the names of the members that differ from those of another configuration and that take
   * effect only at the start of a process, such as {@code server.port}.
   */
  public List<String> startOnlyChangesFrom(GatewayConfig other) {
    return startOnly.differencesFrom(other.startOnly);
  }

  /**
   * Returns counts and the catalog's version, but no settings, since a configuration contains
   * secrets.
   */
  @Override
  public String toString() {
    return "configuration with "
        + providers().size()
        + " providers, "
        + keys().size()
        + " keys, "
        + catalog;
  }
}
