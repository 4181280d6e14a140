package io.strowger.spi.provider;

import io.strowger.spi.ambient.Ambient;
import java.util.List;
import java.util.Objects;

/**
 * Opens the transports of a gateway that is made of what is on the class path. Named in {@code
 * META-INF/services}, with a public constructor without arguments; at most one per class path. Safe
 * on any thread.
 *
 * <p>{@code ProviderFactory.over} and {@code PluginProvider.Networked} hand the transports to
 * adapters and plugins. A host that makes those itself needs no such factory.
 */
public interface TransportFactory {
  /**
   * Opens the transports of one gateway, which closes them. Connects to nothing yet.
   *
   * @param ambient where their threads come from
   * @param networkReach where they may connect to for others than the operator
   * @throws IllegalArgumentException when {@code reach} cannot be read
   */
  Transports open(Ambient ambient, NetworkReach networkReach);

  /**
   * Where a gateway may connect to for callers, models, web sites and management keys, beside
   * public addresses.
   *
   * @param networks that are allowed though they are not public, in CIDR notation such as {@code
   *     10.0.0.0/8}
   * @param ports that are allowed beside 80 and 443, 1 to 65,535
   */
  record NetworkReach(List<String> networks, List<Integer> ports) {
    /** Public addresses at the usual ports. */
    public static final NetworkReach PUBLIC = new NetworkReach(List.of(), List.of());

    public NetworkReach {
      networks = List.copyOf(Objects.requireNonNull(networks, "networks"));
      ports = List.copyOf(Objects.requireNonNull(ports, "ports"));
    }
  }
}
