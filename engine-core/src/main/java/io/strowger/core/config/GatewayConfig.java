package io.strowger.core.config;

import io.strowger.spi.catalog.Catalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of a gateway as one immutable value. It is replaced as a whole, and a
 * request keeps the configuration it started with. Read from a file by {@link ConfigReader}, or
 * made in code by {@link #builder}.
 */
public final class GatewayConfig {
  private final ServerSettings server;
  private final Timeouts timeouts;
  private final StreamSettings stream;
  private final RequestLimits requestLimits;
  private final MoneySettings money;
  private final StoreSettings store;
  private final List<ProviderConfig> providers;
  private final Catalog catalog;
  private final List<KeyConfig> keys;
  private final List<ByokKey> byokKeys;
  private final AccountSettings account;
  private final PluginSettings plugins;
  private final @Nullable String pluginsDir;
  private final RateSettings rates;
  private final CacheSettings cache;
  private final OverloadSettings overload;
  private final List<DestinationConfig> destinations;
  private final DestinationQueueSettings destinationQueue;
  private final NetworkSettings network;
  private final BatchSettings batches;
  private final TelemetrySettings telemetry;
  private final List<String> unusedMemberWarnings;
  private final StartOnlyMembers startOnly;

  GatewayConfig(
      ConfigSections sections,
      Catalog catalog,
      List<String> unusedMemberWarnings,
      StartOnlyMembers startOnly) {
    this.startOnly = startOnly;
    server = sections.server;
    timeouts = sections.timeouts;
    stream = sections.stream;
    requestLimits = sections.limits;
    money = sections.money;
    store = sections.store;
    providers = List.copyOf(sections.providers);
    this.catalog = catalog;
    keys = List.copyOf(sections.keys);
    byokKeys = List.copyOf(sections.byokKeys);
    account = sections.account;
    plugins = sections.plugins;
    pluginsDir = sections.pluginsDir;
    rates = sections.rates;
    cache = sections.cache;
    overload = sections.overload;
    destinations = List.copyOf(sections.destinations);
    destinationQueue = sections.destinationQueue;
    network = sections.network;
    batches = sections.batches;
    telemetry = sections.telemetry;
    this.unusedMemberWarnings = List.copyOf(unusedMemberWarnings);
  }

  /** Returns a new builder for a configuration in code. */
  public static ConfigBuilder builder() {
    return new ConfigBuilder();
  }

  /** Returns the settings of the HTTP server. */
  public ServerSettings server() {
    return server;
  }

  /** Returns the timeouts of attempts, streams and whole calls. */
  public Timeouts timeouts() {
    return timeouts;
  }

  /** Returns the settings of streamed answers. */
  public StreamSettings streaming() {
    return stream;
  }

  /** Returns the limits for reading request bodies. */
  public RequestLimits limits() {
    return requestLimits;
  }

  /** Returns the default output length and the account's credits. */
  public MoneySettings money() {
    return money;
  }

  /** Returns where keys, budgets and records are kept. */
  public StoreSettings store() {
    return store;
  }

  /** Returns all providers in the order of the file, also those without endpoints. */
  public List<ProviderConfig> providers() {
    return providers;
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
    return keys;
  }

  /** Returns the provider keys of the file that belong to callers. */
  public List<ByokKey> byokKeys() {
    return byokKeys;
  }

  /** Returns the settings of the account, which apply to every caller. */
  public AccountSettings account() {
    return account;
  }

  /** Returns the settings of plugins. */
  public PluginSettings plugins() {
    return plugins;
  }

  /**
   * Returns the directory of plugin jars as written in the file: the host resolves it against the
   * location of the file. Null when the file names none.
   */
  public @Nullable String pluginsDir() {
    return pluginsDir;
  }

  /** Returns the rate limits of callers. */
  public RateSettings rates() {
    return rates;
  }

  /** Returns the size limits of the response cache. */
  public CacheSettings cache() {
    return cache;
  }

  /** Returns the limits on concurrent work. */
  public OverloadSettings overload() {
    return overload;
  }

  /** Returns the addresses the gateway may connect to on behalf of callers. */
  public NetworkSettings network() {
    return network;
  }

  /** Returns the settings for processing batches. */
  public BatchSettings batches() {
    return batches;
  }

  /** Returns the settings for the engine's metrics and traces. */
  public TelemetrySettings telemetry() {
    return telemetry;
  }

  /**
   * Returns the observability destinations of the file, without those created through the HTTP API.
   */
  public List<DestinationConfig> observabilityDestinations() {
    return destinations;
  }

  /** Returns the settings of the queues in which calls wait for destinations. */
  public DestinationQueueSettings observabilityQueue() {
    return destinationQueue;
  }

  /** Returns one sentence for each member of the file that has no effect yet. */
  public List<String> unusedMemberWarnings() {
    return unusedMemberWarnings;
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
        + providers.size()
        + " providers, "
        + keys.size()
        + " keys, "
        + catalog;
  }
}
