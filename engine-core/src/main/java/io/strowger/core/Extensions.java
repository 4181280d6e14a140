package io.strowger.core;

import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.config.Plugins;
import io.strowger.core.registry.CodeLocation;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.spi.provider.ProviderFactory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plugins and provider factories a configuration is applied with, from the host and from a
 * plugin directory. Immutable.
 *
 * @param factories by protocol
 * @param directory closed when no configuration uses it any more
 */
record Extensions(
    PluginRegistry registry, Map<String, ProviderFactory> factories, PluginDirectory directory) {
  /**
   * The plugins and factories of the host, the same for every configuration.
   *
   * @param factories by protocol
   */
  record HostExtensions(Plugins plugins, Map<String, ProviderFactory> factories) {
    HostExtensions {
      factories = Map.copyOf(factories);
    }

    /**
     * Returns these extensions together with those of a directory.
     *
     * @throws IllegalStateException when the directory is closed, or when plugins or factories
     *     conflict; the message names them
     */
    Extensions with(PluginDirectory directory) {
      if (directory.isClosed()) {
        throw new IllegalStateException(
            "the directory of plugins is closed: open it again with PluginDirectory.open");
      }
      var merged = new LinkedHashMap<>(factories);
      for (ProviderFactory factory : directory.factories()) {
        ProviderFactory previous = merged.putIfAbsent(factory.protocol(), factory);
        if (previous != null) {
          throw new IllegalStateException(
              duplicateProtocolMessage(factory.protocol(), previous, factory)
                  + ": use another protocol in the second, or remove its jar");
        }
      }
      Plugins allPlugins = plugins.discover(directory.plugins()).discoverTools(directory.tools());
      return new Extensions(PluginRegistry.of(allPlugins), Map.copyOf(merged), directory);
    }
  }

  static String duplicateProtocolMessage(
      String protocol, ProviderFactory first, ProviderFactory second) {
    return "two factories for the protocol "
        + protocol
        + ": "
        + CodeLocation.of(first)
        + " and "
        + CodeLocation.of(second);
  }

  /**
   * Releases the directory unless one of the other extensions uses it too.
   *
   * @return the resources the caller must close
   */
  List<Resource> releaseUnlessIn(Collection<Extensions> others) {
    return others.stream().anyMatch(other -> other.directory == directory)
        ? List.of()
        : directory.release();
  }
}
