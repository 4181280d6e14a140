package io.strowger.core;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.attempt.Deadlines;
import io.strowger.core.attempt.SlowStreamGuard;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Timeouts;
import io.strowger.core.digest.Sha256;
import io.strowger.core.health.Health;
import io.strowger.core.pipeline.AccountPolicy;
import io.strowger.core.pipeline.CallerRules;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.provider.JsonCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current configuration, and former ones while requests under way use them. The methods
 * that read the current configuration are safe on any thread, and requests may end on any thread.
 * Calls of {@link #prepare}, {@link #discard}, {@link #activate}, {@link #close} and {@link
 * #dispose()} must not overlap.
 */
final class Configurations {
  /** A configuration with everything that was built for it. */
  record BuiltConfiguration(
      GatewayConfig config, Extensions extensions, Snapshot snapshot, Adapters adapters) {}

  /**
   * A configuration that is ready to be applied.
   *
   * @param previous the configuration that was current when {@code built} was made; the two may
   *     share adapters
   */
  record Prepared(BuiltConfiguration built, BuiltConfiguration previous) {}

  /**
   * The services that configurations are built with.
   *
   * @param storedByokKeys a live view of the customers' own keys in the store
   */
  record Services(Health health, JsonCodec codec, BoundedCloser closer, ByokKeys storedByokKeys) {}

  private final Services services;
  private final ReentrantLock changeLock =
      new ReentrantLock(); // never held while anything is closed
  private final List<BuiltConfiguration> retired = new ArrayList<>(); // changed under the lock
  private volatile @Nullable BuiltConfiguration current; // changed under the lock
  private volatile PluginRegistry registry; // of the last configuration

  /**
   * @throws IllegalStateException when a plugin refuses the catalog or its defaults
   */
  Configurations(GatewayConfig first, Extensions extensions, Services services) {
    this.services = services;
    this.registry = extensions.registry();
    this.current = build(first, extensions, Adapters.empty());
  }

  /** Returns the current snapshot; null after {@link #close}. */
  @Nullable Snapshot current() {
    BuiltConfiguration built = current;
    return built == null ? null : built.snapshot();
  }

  boolean isClosed() {
    return current == null;
  }

  /**
   * Returns whether the content of calls is stored with their records; false after {@link #close}.
   */
  boolean keepsContent() {
    BuiltConfiguration built = current;
    return built != null && built.config().account().keepsContent();
  }

  /**
   * @throws IllegalStateException when closed
   */
  GatewayConfig config() {
    return requireOpen().config();
  }

  /**
   * @throws IllegalStateException when closed
   */
  Extensions extensions() {
    return requireOpen().extensions();
  }

  /** Returns the current plugins; after {@link #close}, those of the last configuration. */
  PluginRegistry registry() {
    return registry;
  }

  private BuiltConfiguration requireOpen() {
    BuiltConfiguration active = current;
    if (active == null) {
      throw new IllegalStateException("the gateway is closed");
    }
    return active;
  }

  private BuiltConfiguration build(GatewayConfig config, Extensions extensions, Adapters previous) {
    Timeouts timeouts = config.timeouts();
    Adapters adapters =
        Adapters.of(
                config.providers(),
                extensions.factories(),
                timeouts.connect(),
                services.codec(),
                services.closer(),
                previous)
            .with(config.byokKeys(), services.storedByokKeys());
    PreparedPlugins plugins = PreparedPlugins.NONE;
    boolean complete = false;
    try {
      Catalog catalog = servedCatalog(config.catalog(), adapters.slugs());
      PluginRegistry pluginRegistry = extensions.registry();
      plugins =
          pluginRegistry.prepare(
              catalog, registeredOnly(config.plugins(), pluginRegistry), services.closer());
      var snapshot =
          new Snapshot(
              catalog,
              pluginRegistry,
              plugins,
              new Planner(catalog, plugins),
              services.health().healthOf(catalog),
              adapters,
              deadlines(timeouts),
              accountPolicy(config, catalog));
      complete = true;
      return new BuiltConfiguration(config, extensions, snapshot, adapters);
    } finally {
      if (!complete) {
        var unused =
            new ArrayList<>(adapters.notUsedBy(List.of(previous))); // nothing else closes them
        unused.addAll(plugins.closeable());
        services.closer().close(unused);
      }
    }
  }

  /**
   * Returns the settings of the registered plugins. The host may allow a configuration to name
   * others.
   */
  private static PluginSettings registeredOnly(
      PluginSettings settings, PluginRegistry pluginRegistry) {
    return settings.filter(id -> pluginRegistry.descriptor(id) != null);
  }

  private static Deadlines deadlines(Timeouts timeouts) {
    Duration window = timeouts.slowStreamWindow();
    SlowStreamGuard slowStreamGuard =
        window == null ? null : new SlowStreamGuard(window, timeouts.minTokensPerSecond());
    Duration first = timeouts.firstContent();
    Duration firstUnstreamed = timeouts.firstContentUnstreamed();
    Duration gap = timeouts.gap();
    Duration total = timeouts.total();
    return firstUnstreamed == null
        ? new Deadlines(first, gap, total, slowStreamGuard)
        : new Deadlines(first, firstUnstreamed, gap, total, slowStreamGuard);
  }

  private AccountPolicy accountPolicy(GatewayConfig config, Catalog catalog) {
    return new AccountPolicy(
        CallerRules.of(config.account(), catalog),
        config.byokKeys(),
        services.storedByokKeys(),
        config.account().defaultModel(),
        config.money().defaultOutputTokens(),
        config.money().creditsUrl());
  }

  /**
   * Returns the catalog without endpoints whose provider has no adapter, so that no plan has them.
   * Its version identifies the providers that are left.
   */
  private static Catalog servedCatalog(Catalog catalog, Set<String> providers) {
    if (catalog.providers().stream().allMatch(info -> providers.contains(info.slug()))) {
      return catalog;
    }
    String providersHash =
        HexFormat.of().formatHex(Sha256.of(String.join(" ", new TreeSet<>(providers))), 0, 4);
    var builder = Catalog.builder(catalog.version() + "-of-" + providersHash);
    for (ModelInfo model : catalog.models()) {
      List<Endpoint> served =
          model.endpoints().stream()
              .filter(endpoint -> providers.contains(endpoint.provider().slug()))
              .toList();
      builder.add(model, served);
    }
    return builder.build();
  }

  /**
   * Builds everything that another configuration needs, while the current one stays. Runs code of
   * plugins and adapters, which may take long.
   *
   * @throws IllegalStateException when closed, or when a plugin refuses the catalog or its
   *     defaults; then all new parts are closed
   */
  Prepared prepare(GatewayConfig config, Extensions extensions) {
    BuiltConfiguration previous = requireOpen();
    return new Prepared(build(config, extensions, previous.adapters()), previous);
  }

  /**
   * Closes the parts made for a configuration that is not applied; its extensions stay open.
   * Returns when they are closed, or after a bounded time.
   */
  void discard(Prepared prepared) {
    List<BuiltConfiguration> others = others();
    // others() no longer has it if the gateway was closed meanwhile; its parts must stay open here
    others.add(prepared.previous());
    services.closer().close(unused(prepared.built(), others));
  }

  /**
   * Makes a prepared configuration the current one. The former one is closed when the last request
   * that uses it ends.
   *
   * @param watchdog tells which snapshots requests under way use
   * @throws IllegalStateException when closed; then nothing has changed
   */
  void activate(Prepared prepared, Watchdog watchdog) {
    changeLock.lock();
    try {
      retired.add(requireOpen());
      current = prepared.built();
      registry = prepared.built().extensions().registry();
    } finally {
      changeLock.unlock();
    }
    watchdog.onEnd(
        snapshot -> onRequestEnd(snapshot, watchdog)); // registered first, so that no end is missed
    closeUnused(watchdog);
  }

  /** Closes former configurations, if the request that has ended used one of them. */
  private void onRequestEnd(Object snapshot, Watchdog watchdog) {
    BuiltConfiguration active = current;
    if (active == null || active.snapshot() != snapshot) {
      closeUnused(watchdog);
    }
  }

  private void closeUnused(Watchdog watchdog) {
    for (BuiltConfiguration former : retired()) {
      if (!watchdog.usesLease(former.snapshot())) {
        dispose(former);
      }
    }
  }

  private List<BuiltConfiguration> retired() {
    changeLock.lock();
    try {
      return List.copyOf(retired);
    } finally {
      changeLock.unlock();
    }
  }

  /** Removes the current configuration, so that no further request begins. */
  void close() {
    changeLock.lock();
    try {
      BuiltConfiguration last = current;
      current = null;
      if (last != null) {
        retired.add(last);
      }
    } finally {
      changeLock.unlock();
    }
  }

  /**
   * Closes the parts of all configurations in the background. Call it after {@link #close}, when no
   * request is under way.
   */
  void dispose() {
    retired().forEach(this::dispose);
  }

  /**
   * Closes the parts that only this former configuration uses, in the background. No request under
   * way may need them.
   */
  private void dispose(BuiltConfiguration former) {
    List<BuiltConfiguration> others;
    changeLock.lock();
    try {
      if (!retired.remove(former)) {
        return; // another thread closes it
      }
      others = others();
    } finally {
      changeLock.unlock();
    }
    services
        .closer()
        .closeInBackground(
            unused(former, others),
            former
                .extensions()
                .releaseUnlessIn(others.stream().map(BuiltConfiguration::extensions).toList()));
  }

  /** Returns the parts made for one configuration that no other one uses. */
  private static List<Resource> unused(
      BuiltConfiguration configuration, List<BuiltConfiguration> others) {
    var parts =
        new ArrayList<>(
            configuration
                .adapters()
                .notUsedBy(others.stream().map(BuiltConfiguration::adapters).toList()));
    for (Resource resource : configuration.snapshot().plugins().closeable()) {
      if (others.stream()
          .flatMap(other -> other.snapshot().plugins().closeable().stream())
          .noneMatch(other -> other.closeable() == resource.closeable())) {
        parts.add(resource);
      }
    }
    return parts;
  }

  private List<BuiltConfiguration> others() {
    changeLock.lock();
    try {
      var others = new ArrayList<>(retired);
      BuiltConfiguration active = current;
      if (active != null) {
        others.add(active);
      }
      return others;
    } finally {
      changeLock.unlock();
    }
  }
}
