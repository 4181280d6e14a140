package io.strowger.spi.provider;

import io.strowger.spi.ambient.Ambient;
import java.util.List;
import java.util.Objects;

/**
 * Opens the transports of a gateway that is built from the class path. Named in {@code
 * META-INF/services}, with a public constructor without arguments; at most one per class path. Safe
 * on any thread.
 *
 * <p>{@link ProviderFactory#withTransports} and {@code PluginProvider.Networked} pass the
 * transports to adapters and plugins. A host that makes its adapters and plugins itself needs no
 * such factory.
 */
public interface TransportFactory {
  /**
   * Opens the transports of one gateway, which closes them. Connects to nothing yet.
   *
   * @param ambient the source of the transports' threads
   * @param networkReach where the transports may connect on behalf of anyone but the operator
   * @throws IllegalArgumentException when {@code networkReach} cannot be parsed
   */
  Transports open(Ambient ambient, NetworkReach networkReach);

  /**
   * The networks and ports to which a gateway may connect for callers, models, web sites and
   * management keys, in addition to public addresses and to ports 80 and 443.
   *
   * @param networks non-public networks that are allowed, in CIDR notation such as {@code
   *     10.0.0.0/8}
   * @param ports the ports that are allowed in addition to 80 and 443, 1 to 65,535
   */
  record NetworkReach(List<String> networks, List<Integer> ports) {
    /** Public addresses at ports 80 and 443 only. */
    public static final NetworkReach PUBLIC = new NetworkReach(List.of(), List.of());

    public NetworkReach {
      networks = List.copyOf(Objects.requireNonNull(networks, "networks"));
      ports = List.copyOf(Objects.requireNonNull(ports, "ports"));
    }
  }
}
