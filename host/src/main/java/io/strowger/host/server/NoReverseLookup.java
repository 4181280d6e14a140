package io.strowger.host.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * Resolves names as the JDK does, but never looks up the name of an address. The web server asks
 * for the host name of each TLS client, without using it; each connection would wait for a name
 * server of the client's choice, on a thread that all connections share.
 */
public final class NoReverseLookup extends InetAddressResolverProvider {
  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver builtinResolver = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        return builtinResolver.lookupByName(host, policy);
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        throw new UnknownHostException("names of addresses are not looked up");
      }
    };
  }

  @Override
  public String name() {
    return "no-reverse-lookup";
  }
}
