package io.strowger.providers.http;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * How connections are made.
 *
 * @param tls decides which servers are trusted
 * @param addresses says where a host may be reached
 */
record ConnectionOptions(TlsContext tls, HostResolver addresses) {

  /** Finds the addresses of a host that may be connected to. Safe on any thread. */
  @FunctionalInterface
  interface HostResolver {
    /**
     * Returns the addresses to try, in order; at least one.
     *
     * @param host a name or a literal address, of IPv6 in or without brackets
     * @param port that is to be connected to
     * @param within how long to wait for them
     * @throws IOException when there is none
     */
    List<InetAddress> of(String host, int port, Duration within) throws IOException;

    /** Every address that the name service of this computer knows. */
    static HostResolver all() {
      return (host, port, within) -> List.of(InetAddress.getAllByName(host));
    }
  }
}
