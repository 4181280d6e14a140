package io.strowger.core;

import io.strowger.core.attempt.Deadlines;
import io.strowger.core.attempt.DripGuard;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Timeouts;
import io.strowger.core.flow.CallerRules;
import io.strowger.core.flow.Snapshot;
import io.strowger.core.flow.Terms;
import io.strowger.core.health.Health;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration in force, and former ones as long as requests under way use them. {@link
 * #current} on any thread; the others one at a time.
 */
final class Configurations {
  /** What a configuration came to. */
  record Built(GatewayConfig config, Snapshot snapshot, Adapters adapters) {}

  /**
   * What configurations are built with.
   *
   * @param factories by protocol
   * @param ownKeys the customer's own keys that come and go meanwhile
   */
  record Tools(
      Map<String, ProviderFactory> factories,
      PluginRegistry plugins,
      Health health,
      JsonCodec codec,
      Ambient ambient,
      ByokKeys ownKeys) {}

  private final Tools tools;
  private final List<Built> retired = new ArrayList<>();
  private volatile @Nullable Built current;

  /**
   * @throws IllegalStateException when a plugin refuses the catalog or the defaults it is given
   */
  Configurations(GatewayConfig first, Tools tools) {
    this.tools = tools;
    this.current = built(first, Adapters.none());
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

  private Built built(GatewayConfig config, Adapters before) {
    Timeouts timeouts = config.timeouts();
    Adapters adapters =
        Adapters.of(
                config.providers(),
                tools.factories(),
                timeouts.connect(),
                tools.codec(),
                tools.ambient(),
                before)
            .with(config.byokKeys(), tools.ownKeys());
    try {
      Catalog catalog = spoken(config.catalog(), adapters.slugs());
      PreparedPlugins plugins = tools.plugins().prepare(catalog, registered(config.plugins()));
      var snapshot =
          new Snapshot(
              catalog,
              plugins,
              new Planner(catalog, plugins),
              tools.health().over(catalog),
              adapters,
              deadlines(timeouts),
              terms(config, catalog));
      return new Built(config, snapshot, adapters);
    } catch (RuntimeException | Error e) {
      adapters.closeAllBut(List.of(before)); // nobody else will
      throw e;
    }
  }

  /** What is said of plugins that are not registered is left out: the host allowed it. */
  private PluginSettings registered(PluginSettings settings) {
    return settings.only(id -> tools.plugins().descriptor(id) != null);
  }

  private static Deadlines deadlines(Timeouts timeouts) {
    Duration window = timeouts.dripWindow();
    DripGuard drip = window == null ? null : new DripGuard(window, timeouts.dripTokensPerSecond());
    Duration first = timeouts.firstContent();
    Duration plain = timeouts.firstContentPlain();
    Duration gap = timeouts.gap();
    Duration total = timeouts.total();
    return plain == null
        ? new Deadlines(first, gap, total, drip)
        : new Deadlines(first, plain, gap, total, drip);
  }

  private Terms terms(GatewayConfig config, Catalog catalog) {
    return new Terms(
        CallerRules.of(config.account(), catalog),
        config.byokKeys(),
        tools.ownKeys(),
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
   * Makes everything another configuration needs, beside what is in force.
   *
   * @throws IllegalStateException when closed, or as the constructor; then nothing is left of it
   */
  Built prepare(GatewayConfig config) {
    Built now = current;
    if (now == null) {
      throw new IllegalStateException("the gateway is closed");
    }
    return built(config, now.adapters());
  }

  /** Closes what was prepared and is not put in force. */
  void discard(Built prepared) {
    dispose(prepared);
  }

  /**
   * Puts in force what was prepared.
   *
   * @param watchdog knows which configurations requests under way use
   */
  void use(Built prepared, Watchdog watchdog) {
    Built old = current;
    current = prepared;
    if (old != null) {
      retired.add(old);
    }
    for (Built former : List.copyOf(retired)) {
      if (!watchdog.uses(former.snapshot())) {
        dispose(former);
      }
    }
  }

  /** No request begins any more. */
  void stop() {
    Built last = current;
    current = null;
    if (last != null) {
      retired.add(last);
    }
  }

  /** Closes what all configurations used; no request is under way. */
  void dispose() {
    List.copyOf(retired).forEach(this::dispose);
  }

  /** Closes what only a former configuration used; no request under way needs it any more. */
  private void dispose(Built former) {
    retired.remove(former);
    var others = new ArrayList<Adapters>();
    retired.forEach(other -> others.add(other.adapters()));
    Built now = current;
    if (now != null) {
      others.add(now.adapters());
    }
    former.adapters().closeAllBut(others);
  }
}
