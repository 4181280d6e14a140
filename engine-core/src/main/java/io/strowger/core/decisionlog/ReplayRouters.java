package io.strowger.core.decisionlog;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.plan.Routers;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routers that a replay uses. */
public interface ReplayRouters extends AutoCloseable {
  /** No routers. */
  ReplayRouters NONE =
      new ReplayRouters() {
        @Override
        public Routers forCatalog(Catalog catalog) {
          return Routers.NONE;
        }

        @Override
        public @Nullable String version(String plugin) {
          return null;
        }
      };

  /**
   * Returns the routers of these plugins, made with a configuration's settings. The defaults of the
   * configuration are ignored, because their effect is recorded in the log.
   *
   * @param ambient starts the threads that close the plugins made with settings
   * @throws IllegalStateException when plugins are faulty or conflict; the message names them
   */
  static ReplayRouters of(Plugins plugins, PluginSettings settings, Ambient ambient) {
    var settingsOnly = new PluginSettings(List.of(), settings.settings());
    PluginRegistry registry = PluginRegistry.of(plugins);
    var closer = new BoundedCloser(ambient);
    var resources = new ArrayList<BoundedCloser.Resource>();
    return new ReplayRouters() {
      @Override
      public Routers forCatalog(Catalog catalog) {
        PreparedPlugins prepared = registry.prepare(catalog, settingsOnly, closer);
        resources.addAll(prepared.closeable());
        return prepared;
      }

      @Override
      public void close() {
        closer.close(resources);
      }

      @Override
      public @Nullable String version(String plugin) {
        Descriptor descriptor = registry.descriptor(plugin);
        return descriptor == null ? null : descriptor.version();
      }
    };
  }

  /** Returns the routers prepared for a catalog; called once for each catalog of a log. */
  Routers forCatalog(Catalog catalog);

  /** Returns the version of a plugin; null when there is no plugin with this id. */
  @Nullable String version(String plugin);

  /** Returns the first router of a query that is missing or has another version; null when none. */
  default @Nullable RouterStep firstMismatch(RoutingQuery query) {
    for (RouterStep step : query.routers()) {
      if (!step.version().equals(version(step.plugin()))) {
        return step;
      }
    }
    return null;
  }

  /** Closes the plugins that were made with settings. Call once, after the last replay. */
  @Override
  default void close() {}
}
