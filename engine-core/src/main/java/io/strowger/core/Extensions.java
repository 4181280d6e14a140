package io.strowger.core;

import io.strowger.core.loading.PluginDirectory;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.Plugins;
import io.strowger.spi.provider.ProviderFactory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a configuration is put in force with: what the host gave the gateway, and what a directory
 * of jars brought. Immutable.
 *
 * @param factories by protocol
 * @param directory closed when no configuration uses it any more
 */
record Extensions(
    PluginRegistry registry, Map<String, ProviderFactory> factories, PluginDirectory directory) {
  /**
   * What a host gave a gateway for good.
   *
   * @param factories by protocol
   */
  record Given(Plugins plugins, Map<String, ProviderFactory> factories) {
    Given {
      factories = Map.copyOf(factories);
    }

    /**
     * Adds what a directory brought.
     *
     * @throws IllegalStateException when they do not go together; it names them
     */
    Extensions with(PluginDirectory directory) {
      var all = new LinkedHashMap<>(factories);
      for (ProviderFactory factory : directory.factories()) {
        ProviderFactory other = all.putIfAbsent(factory.protocol(), factory);
        if (other != null) {
          throw new IllegalStateException(
              twice(factory.protocol(), other, factory)
                  + ": name another protocol in the one of "
                  + origin(factory)
                  + ", or take its jar away");
        }
      }
      Plugins found = plugins.discover(directory.plugins()).discoverTools(directory.tools());
      return new Extensions(PluginRegistry.of(found), Map.copyOf(all), directory);
    }
  }

  static String twice(String protocol, ProviderFactory one, ProviderFactory other) {
    return "two factories for the protocol "
        + protocol
        + ": "
        + one.getClass().getName()
        + " and "
        + other.getClass().getName();
  }

  private static String origin(ProviderFactory factory) {
    var source = factory.getClass().getProtectionDomain().getCodeSource();
    return source == null ? "the host" : String.valueOf(source.getLocation());
  }

  /** Closes the directory unless one of these others is of the same. */
  void closeUnlessIn(Collection<Extensions> others) {
    if (others.stream().noneMatch(other -> other.directory == directory)) {
      directory.close();
    }
  }
}
