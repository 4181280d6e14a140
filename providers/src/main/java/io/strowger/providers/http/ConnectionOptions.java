package io.strowger.providers.http;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * How connections are established.
 *
 * @param tls decides which servers are trusted
 * @param hostResolver resolves hosts to addresses
 */
record ConnectionOptions(TlsContext tls, HostResolver hostResolver) {

  /** Resolves a host to the addresses that may be connected to. Safe on any thread. */
  @FunctionalInterface
  interface HostResolver {
    /**
     * Returns the addresses to try, in order; at least one.
     *
     * @param host a name or a literal address; IPv6 with or without brackets
     * @param port the port to connect to
     * @param timeout how long to wait for the addresses
     * @throws IOException when there is no address, or none in time
     */
    List<InetAddress> resolve(String host, int port, Duration timeout) throws IOException;

    /** Returns a resolver that allows every address the system's name service knows. */
    static HostResolver unrestricted() {
      return (host, port, timeout) -> List.of(InetAddress.getAllByName(host));
    }
  }
}
