package io.strowger.core;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.IpNetwork;
import io.strowger.core.loading.ClassPath;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.TransportFactory.NetworkReach;
import io.strowger.spi.provider.Transports;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens a gateway with everything on the class path. The parts found are closed with the gateway,
 * or at once when opening it fails. For one use on one thread.
 */
final class ClassPathGateway {
  private final Ambient ambient = new SystemAmbient();
  private final List<ProviderFactory> factories = new ArrayList<>();
  private @Nullable Transports transports;

  /**
   * @param config returns the configuration, given a reader that knows the protocols that were
   *     found
   */
  Gateway open(Function<ConfigReader, GatewayConfig> config) {
    try {
      ClassPath.addProviderFactories(factories);
      List<String> protocols = factories.stream().map(ProviderFactory::protocol).toList();
      return build(config.apply(ConfigReader.standard().withProtocols(protocols)));
    } catch (RuntimeException | Error e) {
      factories.forEach(factory -> Gateway.closeSafely(factory::close));
      if (transports != null) {
        Gateway.closeSafely(transports::close);
      }
      throw e;
    }
  }

  private Gateway build(GatewayConfig config) {
    transports = ClassPath.transports(ambient, reach(config));
    Gateway.Builder builder =
        Gateway.builder(config).ambient(ambient).plugins(ClassPath.plugins(transports));
    if (transports != null) {
      Transports shared = transports;
      factories.replaceAll(factory -> factory.withTransports(shared));
      builder.destinations(shared.destinations(), ClassPath.exporters()).transports(shared);
    }
    factories.forEach(builder::provider);
    return builder.build();
  }

  private static NetworkReach reach(GatewayConfig config) {
    return new NetworkReach(
        config.network().allowPrivate().stream().map(IpNetwork::toString).toList(),
        config.network().allowedPorts());
  }
}
