package io.strowger.core.decisionlog;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.plan.Routers;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routers decisions are made again with. */
public interface ReplayRouters extends AutoCloseable {
  /** None at all. */
  ReplayRouters NONE =
      new ReplayRouters() {
        @Override
        public Routers over(Catalog catalog) {
          return Routers.NONE;
        }

        @Override
        public @Nullable String version(String plugin) {
          return null;
        }
      };

  /**
   * Those of these plugins that are active.
   *
   * @throws IllegalStateException when they do not go together; it names them
   */
  static ReplayRouters of(Plugins plugins) {
    return of(plugins, PluginSettings.NONE, new SystemAmbient());
  }

  /**
   * Those of these plugins that are active, made with a configuration's settings. Its defaults are
   * not looked at: what they came to is in the log.
   *
   * @param ambient where the threads come from that close what was made
   * @throws IllegalStateException when the plugins do not go together; it names them
   */
  static ReplayRouters of(Plugins plugins, PluginSettings settings, Ambient ambient) {
    var made = new PluginSettings(List.of(), settings.settings());
    PluginRegistry registry = PluginRegistry.of(plugins);
    var closer = new BoundedCloser(ambient);
    var closeable = new ArrayList<BoundedCloser.Resource>();
    return new ReplayRouters() {
      @Override
      public Routers over(Catalog catalog) {
        PreparedPlugins prepared = registry.prepare(catalog, made, closer);
        closeable.addAll(prepared.closeable());
        return prepared;
      }

      @Override
      public void close() {
        closer.close(closeable);
      }

      @Override
      public @Nullable String version(String plugin) {
        Descriptor descriptor = registry.descriptor(plugin);
        return descriptor == null ? null : descriptor.version();
      }
    };
  }

  /** Made ready for a catalog; called once for each in a log. */
  Routers over(Catalog catalog);

  /** Which version of a plugin there is; null when there is none of this id. */
  @Nullable String version(String plugin);

  /** Closes what was made with settings. Call once, when nothing is replayed any more. */
  @Override
  default void close() {}
}
