package io.strowger.core.registry;

import io.strowger.core.decode.Problems;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.registry.PluginRegistryBuilder.RegisteredProvider;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** One plugin prepared for one catalog; makes and caches its instances by configuration. */
final class PreparedPlugin {
  private final PluginProvider provider;
  private final Descriptor descriptor;
  private final Catalog catalog;
  private final EffectiveConfig effectiveConfig;
  private final boolean runsAlways;
  private final InstanceCache instances = new InstanceCache();

  PreparedPlugin(
      RegisteredProvider registered,
      Catalog catalog,
      EffectiveConfig effectiveConfig,
      boolean runsAlways) {
    provider = registered.provider();
    descriptor = registered.descriptor();
    this.catalog = catalog;
    this.effectiveConfig = effectiveConfig;
    this.runsAlways = runsAlways;
  }

  Descriptor descriptor() {
    return descriptor;
  }

  EffectiveConfig effectiveConfig() {
    return effectiveConfig;
  }

  /** Returns the request's entry for this plugin; null when there is none. */
  @Nullable PluginEntry entryOf(InferenceRequest request) {
    for (PluginEntry entry : request.plugins()) {
      if (entry.id().equals(descriptor.id())) {
        return entry;
      }
    }
    return null;
  }

  /** Returns whether the host runs it on every request. */
  boolean runsAlways() {
    return runsAlways;
  }

  /**
   * Returns the router with this configuration; null when the plugin is inactive with it.
   *
   * @throws IllegalArgumentException when the configuration does not fit the schema, as may happen
   *     if another version recorded it
   * @throws PluginFailureException when the plugin fails
   */
  @Nullable RouterPlugin routerFor(Json.Obj config) {
    return pluginFor(config) instanceof RouterPlugin router ? router : null;
  }

  private PluginConfig read(Json.Obj config) {
    var problems = new Problems();
    PluginConfig values = EntryReader.read(descriptor, config, JsonPointer.ROOT, problems);
    if (!problems.list().isEmpty()) {
      throw new IllegalArgumentException(
          "the configuration of " + descriptor.id() + ": " + problems.list());
    }
    return values;
  }

  /**
   * Returns the router, interceptor or inactive plugin that the provider creates for a
   * configuration.
   *
   * @throws IllegalArgumentException as {@link #routerFor}
   * @throws PluginFailureException when the plugin fails
   */
  Plugin pluginFor(Json.Obj config) {
    Plugin cached = instances.find(config);
    if (cached != null) {
      return cached;
    }
    PluginConfig values = read(config);
    Plugin plugin;
    try {
      plugin = Objects.requireNonNull(provider.create(values, catalog), "create returned null");
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new PluginFailureException(descriptor.id(), e);
    }
    checkKind(plugin);
    instances.put(config, plugin);
    return plugin;
  }

  private void checkKind(Plugin plugin) {
    boolean isDeclaredKind =
        switch (plugin) {
          case RouterPlugin router -> descriptor.kind() == Descriptor.Kind.ROUTER;
          case Interceptor interceptor -> descriptor.kind() == Descriptor.Kind.INTERCEPTOR;
          case Plugin.Inactive inactive -> true;
        };
    if (!isDeclaredKind) {
      throw new PluginFailureException(
          descriptor.id(), "made " + plugin.getClass().getName() + ", which is no " + kind());
    }
  }

  private String kind() {
    return descriptor.kind().name().toLowerCase(Locale.ROOT);
  }

  /** Returns the facts that the router reads from a request. */
  Json facts(RouterPlugin router, InferenceRequest request) {
    try {
      return Objects.requireNonNull(router.facts(request), "facts returned null");
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new PluginFailureException(descriptor.id(), e);
    }
  }

  /**
   * A cache of plugin instances by their configuration, bounded in number and in the size of a
   * configuration; a newer instance takes the place of an older one. Plugins with equal
   * configurations behave alike, so a cached instance is as good as a new one.
   */
  private static final class InstanceCache {
    private static final int SLOTS = 32; // a power of two
    private static final int MAX_BYTES = 8192; // of a configuration

    private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(SLOTS);

    private record Entry(Json.Obj config, Plugin plugin) {}

    @Nullable Plugin find(Json.Obj config) {
      Entry entry = entries.get(slot(config));
      return entry != null && entry.config().equals(config) ? entry.plugin() : null;
    }

    void put(Json.Obj config, Plugin plugin) {
      if (config.writtenLength() <= MAX_BYTES) {
        entries.set(slot(config), new Entry(config, plugin));
      }
    }

    private static int slot(Json.Obj config) {
      int hash = config.hashCode();
      return (hash ^ hash >>> 16) & SLOTS - 1;
    }
  }
}
