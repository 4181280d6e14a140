package io.strowger.core.loading;

import io.strowger.core.registry.Plugins;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.ProviderFactory;
import java.util.List;
import java.util.ServiceLoader;

/**
 * What {@link ServiceLoader} finds on the class path of the calling thread. For who wants all of
 * it; a builder of a gateway never looks by itself.
 */
public final class ClassPath {
  private ClassPath() {}

  /**
   * Returns the factories of adapters, made anew.
   *
   * @throws java.util.ServiceConfigurationError when one cannot be loaded
   */
  public static List<ProviderFactory> protocols() {
    return ServiceLoader.load(ProviderFactory.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** Returns the plugins and server tools; what cannot be loaded is found when they are used. */
  public static Plugins plugins() {
    return Plugins.none()
        .discover(ServiceLoader.load(PluginProvider.class))
        .discoverTools(ServiceLoader.load(ServerTool.class));
  }
}
