package io.strowger.core.loading;

import io.strowger.core.config.Plugins;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.DestinationFactory;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.TransportFactory;
import io.strowger.spi.provider.TransportFactory.NetworkReach;
import io.strowger.spi.provider.Transports;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Finds services with {@link ServiceLoader} on the class path of the calling thread. For hosts that
 * want all services of the class path; the builder of a gateway never searches on its own.
 */
public final class ClassPath {
  private ClassPath() {}

  /**
   * Creates the provider factories and adds them to a list.
   *
   * @param target receives the factories, also those created before a failure, so that they can be
   *     closed
   * @throws java.util.ServiceConfigurationError when one cannot be loaded
   */
  public static void addProviderFactories(List<ProviderFactory> target) {
    ServiceLoader.load(ProviderFactory.class).forEach(target::add);
  }

  /**
   * Opens the transports that adapters and plugins share.
   *
   * @return the transports; null when the class path has no factory for them
   * @throws IllegalStateException when there are two factories
   * @throws java.util.ServiceConfigurationError when one cannot be loaded
   */
  public static @Nullable Transports transports(Ambient ambient, NetworkReach networkReach) {
    var factories = new ArrayList<TransportFactory>();
    ServiceLoader.load(TransportFactory.class).forEach(factories::add);
    if (factories.size() > 1) {
      throw new IllegalStateException(
          "two factories of transports are on the class path: "
              + factories.get(0).getClass().getName()
              + " and "
              + factories.get(1).getClass().getName()
              + ". Keep only one of them, or use Gateway.builder");
    }
    return factories.isEmpty() ? null : factories.getFirst().open(ambient, networkReach);
  }

  /**
   * Returns the factories of exporters for observability destinations.
   *
   * @throws java.util.ServiceConfigurationError when one cannot be loaded
   */
  public static List<DestinationFactory> exporters() {
    return ServiceLoader.load(DestinationFactory.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /**
   * Returns the plugins and server tools, with the validator of tool arguments if there is one;
   * load failures are reported when the gateway is built.
   *
   * @param transports passed to plugins that send requests; null to return the plugins unchanged
   */
  public static Plugins plugins(@Nullable Transports transports) {
    Plugins plugins =
        Plugins.none()
            .discover(withTransports(ServiceLoader.load(PluginProvider.class), transports))
            .discoverTools(ServiceLoader.load(ServerTool.class));
    SchemaValidator validator = ServiceLoader.load(SchemaValidator.class).findFirst().orElse(null);
    return validator == null ? plugins : plugins.schemas(validator);
  }

  /** Returns providers over the shared transports; load failures are thrown while iterating. */
  private static Iterable<PluginProvider> withTransports(
      Iterable<PluginProvider> providers, @Nullable Transports transports) {
    return () -> {
      Iterator<PluginProvider> iterator = providers.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return iterator.hasNext();
        }

        @Override
        public PluginProvider next() {
          PluginProvider provider = iterator.next();
          return transports != null && provider instanceof PluginProvider.Networked networked
              ? networked.withTransports(transports)
              : provider;
        }
      };
    };
  }
}
