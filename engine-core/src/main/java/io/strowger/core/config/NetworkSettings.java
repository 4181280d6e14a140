package io.strowger.core.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
    var networks = new ArrayList<IpNetwork>();
    in.eachText(
        "allow_private",
        "must be an IP address, or a CIDR block such as 10.0.0.0/8",
        text -> IpNetwork.parse(text) != null,
        (text, i) -> networks.add(Objects.requireNonNull(IpNetwork.parse(text))));
    return new NetworkSettings(networks, in.wholeNumbers("allowed_ports", 1, MAX_PORT));
  }
}
