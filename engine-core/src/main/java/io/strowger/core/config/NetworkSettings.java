package io.strowger.core.config;

import java.util.List;

/**
 * The addresses that the gateway may connect to when it fetches pages and files for callers.
 *
 * @param allowPrivate the non-public addresses that are allowed
 * @param allowedPorts the ports allowed in addition to 80 and 443
 */
public record NetworkSettings(List<IpNetwork> allowPrivate, List<Integer> allowedPorts) {
  private static final int MAX_PORT = 65_535;

  public NetworkSettings {
    allowPrivate = List.copyOf(allowPrivate);
    allowedPorts = List.copyOf(allowedPorts);
  }

  static NetworkSettings read(Section in) {
    return new NetworkSettings(
        in.networks("allow_private"), in.wholeNumbers("allowed_ports", 1, MAX_PORT));
  }
}
