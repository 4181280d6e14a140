package io.strowger.host.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * Looks up addresses as the JDK does, and never a name for an address. The web server asks for the
 * name of whoever opens a TLS connection, so each connection would wait for a name server of the
 * client's choice, on a thread that all others share; the name is used for nothing.
 */
public final class NoReverseLookup extends InetAddressResolverProvider {
  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver builtin = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        return builtin.lookupByName(host, policy);
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
