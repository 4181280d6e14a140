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
 * The configuration in force, and former ones as long as requests under way use them. {@link
 * #current} and the end of requests on any thread; the others one at a time.
 */
final class Configurations {
  /** What a configuration came to. */
  record Built(GatewayConfig config, Extensions extensions, Snapshot snapshot, Adapters adapters) {}

  /**
   * A configuration that is ready to be put in force.
   *
   * @param before what was in force when it was made, some of whose adapters it may have taken over
   */
  record Prepared(Built built, Built before) {}

  /**
   * What configurations are built with.
   *
   * @param byok the customer's own keys that come and go meanwhile
   */
  record Tools(Health health, JsonCodec codec, BoundedCloser closer, ByokKeys byok) {}

  private final Tools tools;
  private final ReentrantLock changing = new ReentrantLock(); // never held while anything is closed
  private final List<Built> retired = new ArrayList<>(); // changed under the lock
  private volatile @Nullable Built current; // changed under the lock
  private volatile PluginRegistry registry; // of the last that was in force

  /**
   * @throws IllegalStateException when a plugin refuses the catalog or the defaults it is given
   */
  Configurations(GatewayConfig first, Extensions extensions, Tools tools) {
    this.tools = tools;
    this.registry = extensions.registry();
    this.current = built(first, extensions, Adapters.none());
  }

  /** Null once closed. */
  @Nullable Snapshot current() {
    Built built = current;
    return built == null ? null : built.snapshot();
  }

  boolean isClosed() {
    return current == null;
  }

  /** What is said in requests is kept with their records; not any more once closed. */
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

  /** Returns the plugins in force; once closed, those that were last. */
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
              tools.health().boardOf(catalog),
              adapters,
              deadlines(timeouts),
              terms(config, catalog));
      complete = true;
      return new Built(config, extensions, snapshot, adapters);
    } finally {
      if (!complete) {
        var unused = new ArrayList<>(adapters.allBut(List.of(before))); // nobody else will
        unused.addAll(plugins.closeable());
        tools.closer().close(unused);
      }
    }
  }

  /** What is said of plugins that are not registered is left out: the host allowed it. */
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

  /** The catalog without the endpoints nobody here can speak to, so that no plan proposes them. */
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
   * Makes everything another configuration needs, beside what is in force. Runs code of plugins and
   * adapters, which may take long.
   *
   * @throws IllegalStateException when closed, or as the constructor; then nothing is left of it
   */
  Prepared prepare(GatewayConfig config, Extensions extensions) {
    Built before = open();
    return new Prepared(built(config, extensions, before.adapters()), before);
  }

  /**
   * Closes what was made for what was prepared and is not put in force; its extensions stay open.
   * Returns when it is closed, or after a bounded time.
   */
  void discard(Prepared prepared) {
    List<Built> others = others();
    others.add(prepared.before()); // not among them when the gateway was closed meanwhile
    tools.closer().close(unused(prepared.built(), others));
  }

  /**
   * Puts in force what was prepared. What it takes the place of is closed when the last request
   * ends that uses it.
   *
   * @param watchdog knows which configurations requests under way use
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
    watchdog.onEnd(lease -> ended(lease, watchdog)); // first, so that no end is missed
    closeUnused(watchdog);
  }

  /** A request that used this has ended. */
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

  /** No request begins any more. */
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

  /** Closes what all configurations used; no request is under way. */
  void dispose() {
    retired().forEach(this::dispose);
  }

  /** Closes what only a former configuration used; no request under way needs it any more. */
  private void dispose(Built former) {
    List<Built> others;
    changing.lock();
    try {
      if (!retired.remove(former)) {
        return; // somebody else closes it
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

  /** What was made for one configuration and no other one uses. */
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
