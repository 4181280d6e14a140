package io.strowger.core.config;

import io.strowger.spi.catalog.Catalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of a gateway, one immutable value: it is swapped whole, and a request
 * keeps the one it started with. Made by {@link ConfigReader} of a file, or in code by {@link
 * #builder}.
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
  private final List<String> withoutEffect;
  private final StartOnly startOnly;

  GatewayConfig(
      ConfigSections from, Catalog catalog, List<String> withoutEffect, StartOnly startOnly) {
    this.startOnly = startOnly;
    server = from.server;
    timeouts = from.timeouts;
    stream = from.stream;
    requestLimits = from.limits;
    money = from.money;
    store = from.store;
    providers = List.copyOf(from.providers);
    this.catalog = catalog;
    keys = List.copyOf(from.keys);
    byokKeys = List.copyOf(from.byokKeys);
    account = from.account;
    plugins = from.plugins;
    pluginsDir = from.pluginsDir;
    rates = from.rates;
    cache = from.cache;
    overload = from.overload;
    destinations = List.copyOf(from.destinations);
    destinationQueue = from.destinationQueue;
    network = from.network;
    batches = from.batches;
    telemetry = from.telemetry;
    this.withoutEffect = List.copyOf(withoutEffect);
  }

  /** Begins a configuration in code. */
  public static ConfigBuilder builder() {
    return new ConfigBuilder();
  }

  public ServerSettings server() {
    return server;
  }

  public Timeouts timeouts() {
    return timeouts;
  }

  public StreamSettings stream() {
    return stream;
  }

  public RequestLimits limits() {
    return requestLimits;
  }

  /** The default output length, and the account's credits. */
  public MoneySettings money() {
    return money;
  }

  public StoreSettings store() {
    return store;
  }

  /** In the order of the file, also those no endpoint names. */
  public List<ProviderConfig> providers() {
    return providers;
  }

  /**
   * Models and endpoints. Its version is sixteen hex digits of a hash of {@code providers} and
   * {@code models}, credentials and headers left out.
   */
  public Catalog catalog() {
    return catalog;
  }

  /** Keys that exist from the start; no two with one id. */
  public List<KeyConfig> keys() {
    return keys;
  }

  public List<ByokKey> byokKeys() {
    return byokKeys;
  }

  public AccountSettings account() {
    return account;
  }

  public PluginSettings plugins() {
    return plugins;
  }

  /**
   * Returns the directory of jars with plugins, as the file has it: whoever opens it resolves it
   * against the place of the file. Null when the file names none.
   */
  public @Nullable String pluginsDir() {
    return pluginsDir;
  }

  /** How often callers may ask. */
  public RateSettings rates() {
    return rates;
  }

  /** How much the response cache keeps. */
  public CacheSettings cache() {
    return cache;
  }

  /** How much may be in flight at a time. */
  public OverloadSettings overload() {
    return overload;
  }

  /** Where it may connect to for others than its operator. */
  public NetworkSettings network() {
    return network;
  }

  /** How batches are worked on. */
  public BatchSettings batches() {
    return batches;
  }

  /** What a host shows and exports of the engine itself. */
  public TelemetrySettings telemetry() {
    return telemetry;
  }

  /** What is sent finished calls, besides the destinations that are made over HTTP. */
  public List<DestinationConfig> observabilityDestinations() {
    return destinations;
  }

  /** Where calls wait that destinations do not take at the moment. */
  public DestinationQueueSettings observabilityQueue() {
    return destinationQueue;
  }

  /** One sentence for each member the file sets that nothing reads yet. */
  public List<String> withoutEffect() {
    return withoutEffect;
  }

  /**
   * Returns the names of the members that differ from those of another configuration and that are
   * read only when a process starts, such as {@code server.port}.
   */
  public List<String> startOnlyChangesFrom(GatewayConfig other) {
    return startOnly.differencesFrom(other.startOnly);
  }

  /** Sizes, no values: configurations are full of secrets. */
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
