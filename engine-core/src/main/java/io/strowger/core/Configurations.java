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
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current configuration, and former ones while requests under way use them. {@link
 * #current} and the end of requests are safe on any thread; calls of the other methods must not
 * overlap.
 */
final class Configurations {
  /** A configuration with everything that was built for it. */
  record Built(GatewayConfig config, Extensions extensions, Snapshot snapshot, Adapters adapters) {}

  /**
   * A configuration that is ready to be applied.
   *
   * @param before the current one when this was made; this one may share some of its adapters
   */
  record Prepared(Built built, Built before) {}

  /**
   * The services that configurations are built with.
   *
   * @param byok a live view of the customers' own keys in the store
   */
  record Tools(Health health, JsonCodec codec, BoundedCloser closer, ByokKeys byok) {}

  private final Tools tools;
  private final ReentrantLock changing = new ReentrantLock(); // never held while anything is closed
  private final List<Built> retired = new ArrayList<>(); // changed under the lock
  private volatile @Nullable Built current; // changed under the lock
  private volatile PluginRegistry registry; // of the last configuration

  /**
   * @throws IllegalStateException when a plugin refuses the catalog or its defaults
   */
  Configurations(GatewayConfig first, Extensions extensions, Tools tools) {
    this.tools = tools;
    this.registry = extensions.registry();
    this.current = built(first, extensions, Adapters.none());
  }

  /** Returns the current snapshot; null once closed. */
  @Nullable Snapshot current() {
    Built built = current;
    return built == null ? null : built.snapshot();
  }

  boolean isClosed() {
    return current == null;
  }

  /** Returns whether the content of calls is stored with their records; false once closed. */
  boolean keepsContent() {
    Built built = current;
    return built != null && built.config().account().ioLogging();
  }

  GatewayConfig config() {
    return Objects.requireNonNull(current, "the gateway is closed").config();
  }

  /**
   * @throws IllegalStateException when closed
   */
  Extensions extensions() {
    return open().extensions();
  }

  /** Returns the current plugins; once closed, those of the last configuration. */
  PluginRegistry registry() {
    return registry;
  }

  private Built open() {
    Built now = current;
    if (now == null) {
      throw new IllegalStateException("the gateway is closed");
    }
    return now;
  }

  private Built built(GatewayConfig config, Extensions extensions, Adapters before) {
    Timeouts timeouts = config.timeouts();
    Adapters adapters =
        Adapters.of(
                config.providers(),
                extensions.factories(),
                timeouts.connect(),
                tools.codec(),
                tools.closer(),
                before)
            .with(config.byokKeys(), tools.byok());
    PreparedPlugins plugins = PreparedPlugins.NONE;
    boolean complete = false;
    try {
      Catalog catalog = spoken(config.catalog(), adapters.slugs());
      PluginRegistry registered = extensions.registry();
      plugins =
          registered.prepare(catalog, registered(config.plugins(), registered), tools.closer());
      var snapshot =
          new Snapshot(
              catalog,
              registered,
              plugins,
              new Planner(catalog, plugins),
              tools.health().healthOf(catalog),
              adapters,
              deadlines(timeouts),
              terms(config, catalog));
      complete = true;
      return new Built(config, extensions, snapshot, adapters);
    } finally {
      if (!complete) {
        var unused = new ArrayList<>(adapters.allBut(List.of(before))); // nothing else closes them
        unused.addAll(plugins.closeable());
        tools.closer().close(unused);
      }
    }
  }

  /**
   * Returns the settings without those of plugins that are not registered, which the host allowed.
   */
  private static PluginSettings registered(PluginSettings settings, PluginRegistry registered) {
    return settings.only(id -> registered.descriptor(id) != null);
  }

  private static Deadlines deadlines(Timeouts timeouts) {
    Duration window = timeouts.dripWindow();
    SlowStreamGuard drip =
        window == null ? null : new SlowStreamGuard(window, timeouts.dripTokensPerSecond());
    Duration first = timeouts.firstContent();
    Duration plain = timeouts.firstContentPlain();
    Duration gap = timeouts.gap();
    Duration total = timeouts.total();
    return plain == null
        ? new Deadlines(first, gap, total, drip)
        : new Deadlines(first, plain, gap, total, drip);
  }

  private AccountPolicy terms(GatewayConfig config, Catalog catalog) {
    return new AccountPolicy(
        CallerRules.of(config.account(), catalog),
        config.byokKeys(),
        tools.byok(),
        config.account().defaultModel(),
        config.money().defaultOutputTokens(),
        config.money().creditsUrl());
  }

  /**
   * Returns the catalog without endpoints whose provider has no adapter, so that no plan has them.
   */
  private static Catalog spoken(Catalog catalog, Set<String> providers) {
    if (catalog.providers().stream().allMatch(info -> providers.contains(info.slug()))) {
      return catalog;
    }
    var fewer = Catalog.builder(catalog.version() + "-of-" + providers.size());
    for (ModelInfo model : catalog.models()) {
      List<Endpoint> left =
          model.endpoints().stream()
              .filter(endpoint -> providers.contains(endpoint.provider().slug()))
              .toList();
      fewer.add(model, left);
    }
    return fewer.build();
  }

  /**
   * Builds everything that another configuration needs, while the current one stays. Runs code of
   * plugins and adapters, which may take long.
   *
   * @throws IllegalStateException when closed, or when a plugin refuses the catalog or its
   *     defaults; then all new parts are closed
   */
  Prepared prepare(GatewayConfig config, Extensions extensions) {
    Built before = open();
    return new Prepared(built(config, extensions, before.adapters()), before);
  }

  /**
   * Closes the parts made for a configuration that is not applied; its extensions stay open.
   * Returns when they are closed, or after a bounded time.
   */
  void discard(Prepared prepared) {
    List<Built> others = others();
    others.add(prepared.before()); // missing if the gateway was closed meanwhile
    tools.closer().close(unused(prepared.built(), others));
  }

  /**
   * Makes a prepared configuration the current one. The former one is closed when the last request
   * that uses it ends.
   *
   * @param watchdog tells which snapshots requests under way use
   * @throws IllegalStateException when closed; then nothing has changed
   */
  void use(Prepared prepared, Watchdog watchdog) {
    changing.lock();
    try {
      retired.add(open());
      current = prepared.built();
      registry = prepared.built().extensions().registry();
    } finally {
      changing.unlock();
    }
    watchdog.onEnd(lease -> ended(lease, watchdog)); // registered first, so that no end is missed
    closeUnused(watchdog);
  }

  /** Called when a request that used this snapshot has ended. */
  private void ended(Object lease, Watchdog watchdog) {
    Built now = current;
    if (now == null || now.snapshot() != lease) {
      closeUnused(watchdog);
    }
  }

  private void closeUnused(Watchdog watchdog) {
    for (Built former : retired()) {
      if (!watchdog.uses(former.snapshot())) {
        dispose(former);
      }
    }
  }

  private List<Built> retired() {
    changing.lock();
    try {
      return List.copyOf(retired);
    } finally {
      changing.unlock();
    }
  }

  /** Removes the current configuration, so that no further request begins. */
  void stop() {
    changing.lock();
    try {
      Built last = current;
      current = null;
      if (last != null) {
        retired.add(last);
      }
    } finally {
      changing.unlock();
    }
  }

  /** Closes the parts of all configurations. Called when no request is under way. */
  void dispose() {
    retired().forEach(this::dispose);
  }

  /**
   * Closes the parts that only this former configuration uses, in the background. No request under
   * way may need them.
   */
  private void dispose(Built former) {
    List<Built> others;
    changing.lock();
    try {
      if (!retired.remove(former)) {
        return; // another thread closes it
      }
      others = others();
    } finally {
      changing.unlock();
    }
    tools
        .closer()
        .closeInBackground(
            unused(former, others),
            former.extensions().releaseUnlessIn(others.stream().map(Built::extensions).toList()));
  }

  /** Returns the parts made for one configuration that no other one uses. */
  private static List<Resource> unused(Built one, List<Built> others) {
    var parts =
        new ArrayList<>(one.adapters().allBut(others.stream().map(Built::adapters).toList()));
    for (Resource made : one.snapshot().plugins().closeable()) {
      if (others.stream()
          .flatMap(other -> other.snapshot().plugins().closeable().stream())
          .noneMatch(other -> other.it() == made.it())) {
        parts.add(made);
      }
    }
    return parts;
  }

  private List<Built> others() {
    changing.lock();
    try {
      var others = new ArrayList<>(retired);
      Built now = current;
      if (now != null) {
        others.add(now);
      }
      return others;
    } finally {
      changing.unlock();
    }
  }
}
