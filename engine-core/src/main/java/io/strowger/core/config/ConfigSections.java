package io.strowger.core.config;

import io.strowger.spi.json.JsonLimits;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sections of a file as they were read, with defaults for absent and wrong members. They are
 * valid only when no problem was found.
 */
final class ConfigSections {
  private static final JsonLimits DEFAULT_LIMITS = JsonLimits.DEFAULT;

  final ServerSettings server;
  final Timeouts timeouts;
  final StreamSettings stream;
  final RequestLimits limits;
  final RateSettings rates;
  final MoneySettings money;
  final StoreSettings store;
  final List<ProviderConfig> providers;
  final List<ModelReader.Entry> models;
  final List<KeyConfig> keys;
  final List<ByokKey> byokKeys;
  final AccountSettings account;
  final PluginSettings plugins;
  final @Nullable String pluginsDir;
  final CacheSettings cache;
  final OverloadSettings overload;
  final List<DestinationConfig> destinations;
  final DestinationQueueSettings destinationQueue;
  final NetworkSettings network;
  final BatchSettings batches;
  final TelemetrySettings telemetry;

  /**
   * @param protocols the protocols that providers may use
   */
  ConfigSections(Section in, Collection<String> protocols) {
    var serverSection = in.section("server", ServerSection::read);
    server = serverSection.server();
    var limitsSection = in.section("limits", section -> LimitsSection.read(section, serverSection));
    limits = limitsSection.limits();
    rates = limitsSection.rates();
    timeouts = in.section("timeouts", Timeouts::read);
    stream = in.section("stream", StreamSettings::read);
    money = MoneySettings.read(in);
    store = in.section("store", StoreSettings::read);
    var providerReader = new ProviderReader(protocols);
    providers =
        List.copyOf(in.sections("providers", (provider, i) -> providerReader.read(provider)));
    in.require("providers");
    var bySlug = new LinkedHashMap<String, ProviderConfig>();
    providers.forEach(provider -> bySlug.put(provider.slug(), provider));
    var modelReader = new ModelReader(bySlug);
    models = in.sections("models", (model, i) -> modelReader.read(model));
    in.require("models");
    var keyReader = new KeyReader(bySlug.keySet());
    keys = List.copyOf(in.sections("keys", (key, i) -> keyReader.read(key)));
    byokKeys = List.copyOf(in.sections("byok_keys", (key, i) -> keyReader.readByok(key)));
    account = in.section("account", AccountSettings::read);
    plugins = PluginSection.read(in, in.section("plugins", PluginSettings::read));
    pluginsDir = in.text("plugins_dir");
    cache = in.section("cache", CacheSettings::read);
    overload = in.section("overload", OverloadSettings::read);
    network = in.section("network", NetworkSettings::read);
    batches = in.section("batches", BatchSettings::read);
    telemetry = in.section("telemetry", TelemetrySettings::read);
    var destinationReader = new DestinationReader();
    destinations =
        List.copyOf(
            in.sections("observability_destinations", (item, i) -> destinationReader.read(item)));
    destinationQueue = in.section("observability_queue", DestinationQueueSettings::read);
  }

  /** The section {@code server}, which also holds two of the request limits. */
  private record ServerSection(ServerSettings server, int maxRequestBytes, long maxBatchBytes) {
    static ServerSection read(Section in) {
      return new ServerSection(
          ServerSettings.read(in),
          in.wholeNumber("max_request_bytes", 1, 2_000_000_000, 33_554_432),
          in.wholeNumber("max_batch_bytes", 1, 1_000_000_000_000L, 209_715_200L));
    }
  }

  /** The section {@code limits}, which holds both request limits and rate limits. */
  private record LimitsSection(RequestLimits limits, RateSettings rates) {
    static LimitsSection read(Section in, ServerSection serverSection) {
      return new LimitsSection(ConfigSections.limits(in, serverSection), RateSettings.read(in));
    }
  }

  private static RequestLimits limits(Section in, ServerSection serverSection) {
    return new RequestLimits(
        serverSection.maxRequestBytes(),
        serverSection.maxBatchBytes(),
        new JsonLimits(
            in.wholeNumber("depth", 1, 1_000, DEFAULT_LIMITS.depth()),
            in.wholeNumber("string_bytes", 1, 2_000_000_000, DEFAULT_LIMITS.stringBytes()),
            in.wholeNumber("name_chars", 1, 100_000, DEFAULT_LIMITS.nameChars()),
            in.wholeNumber("number_chars", 1, 1_000, DEFAULT_LIMITS.numberChars()),
            in.wholeNumber("members", 1, 100_000_000, DEFAULT_LIMITS.members()),
            in.wholeNumber("values", 1, 100_000_000, DEFAULT_LIMITS.values())),
        in.wholeNumber("batch_requests", 1, 1_000_000, 50_000),
        in.wholeNumber("problems", 1, 10_000, 100));
  }
}
