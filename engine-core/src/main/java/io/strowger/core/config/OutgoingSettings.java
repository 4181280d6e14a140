package io.strowger.core.config;

import io.strowger.core.client.IpNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Where the gateway may connect to beside its providers, when it fetches pages and the like.
 *
 * @param allowedNetworks that are allowed though they are not public
 * @param allowedPorts beside 80 and 443
 */
public record OutgoingSettings(List<IpNetwork> allowedNetworks, List<Integer> allowedPorts) {
  private static final int MOST_PORT = 65_535;

  public OutgoingSettings {
    allowedNetworks = List.copyOf(allowedNetworks);
    allowedPorts = List.copyOf(allowedPorts);
  }

  static OutgoingSettings read(Section in) {
    var networks = new ArrayList<IpNetwork>();
    in.eachText(
        "allowed_networks",
        "must be an IP address, or a CIDR block such as 10.0.0.0/8",
        text -> IpNetwork.parse(text) != null,
        (text, i) -> networks.add(Objects.requireNonNull(IpNetwork.parse(text))));
    return new OutgoingSettings(networks, in.wholes("allowed_ports", 1, MOST_PORT));
  }
}
