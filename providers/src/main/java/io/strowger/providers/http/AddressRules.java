package io.strowger.providers.http;

import com.google.common.base.CharMatcher;
import com.google.common.net.InetAddresses;
import com.google.common.net.InternetDomainName;
import io.strowger.spi.provider.Transport;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which addresses a transport connects to: public ones, and those in networks that an
 * operator allows. Used by a transport for addresses that callers, models and web sites choose, so
 * that these cannot reach the operator's own network through the gateway. Immutable.
 *
 * <p>A host is a literal address in its usual spelling or a DNS name; other spellings of addresses,
 * such as {@code 2130706433}, {@code 0x7f.1} and {@code 0177.0.0.1}, are refused. A name is looked
 * up once for each connection and the resulting addresses are checked; the socket connects to one
 * of those, so a later DNS change cannot bypass the rules.
 *
 * <p>Public means not listed in the registries of special addresses: not private, shared, loopback,
 * link-local, multicast, broadcast, unspecified, documentation, benchmarking or reserved, and no
 * metadata service. An IPv6 address that embeds an IPv4 address (mapped, compatible, NAT64, ISATAP)
 * is judged by the embedded address; 6to4, Teredo and local NAT64 prefixes are never public.
 */
public final class AddressRules {
  private static final List<Network> SPECIAL =
      networks(
          "0.0.0.0/8", // this network
          "10.0.0.0/8", // private
          "100.64.0.0/10", // shared by customers of a carrier; also a metadata service
          "127.0.0.0/8", // loopback
          "168.63.129.16/32", // platform service of a cloud
          "169.254.0.0/16", // link-local; metadata services
          "172.16.0.0/12", // private
          "192.0.0.0/24", // protocol assignments; also a metadata service
          "192.0.2.0/24", // documentation
          "192.88.99.0/24", // 6to4 relays
          "192.168.0.0/16", // private
          "198.18.0.0/15", // benchmarking
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/4", // multicast
          "240.0.0.0/4", // reserved, broadcast
          "2001::/23", // protocol assignments, Teredo among them
          "2001:db8::/32", // documentation
          "2002::/16", // 6to4
          "3fff::/20"); // documentation

  /** The IPv6 range that is allocated for global unicast. */
  private static final Network GLOBAL_IPV6 = Network.parse("2000::/3");

  private static final Network MAPPED = new Network(mappedPrefix(), 96);
  private static final Network COMPATIBLE = Network.parse("::/96");
  private static final Network NAT64 = Network.parse("64:ff9b::/96");
  private static final int IPV4_BYTES = 4;
  private static final int MAX_PORT = 65_535;

  /** The characters of literal addresses; excludes digits of other scripts, and interface names. */
  private static final CharMatcher LITERAL = CharMatcher.anyOf("0123456789abcdefABCDEF:.");

  /** The ports of web sites. */
  private static final Set<Integer> WEB_PORTS = Set.of(80, 443);

  private final List<Network> allowed;
  private final Set<Integer> ports; // empty: any
  private final Resolver resolver;

  /** Resolves host names. Safe on any thread. */
  @FunctionalInterface
  public interface Resolver {
    /**
     * Returns the addresses of a name; never empty.
     *
     * @throws UnknownHostException when the name has no address
     */
    InetAddress[] resolve(String name) throws UnknownHostException;
  }

  /**
   * A range of addresses with a common prefix.
   *
   * @param prefix the bytes of any address in the range, in full length
   * @param bits the number of leading bits that addresses in the range share
   */
  private record Network(byte[] prefix, int bits) {

    static Network parse(String text) {
      int slash = text.indexOf('/');
      byte[] address = literal(slash < 0 ? text : text.substring(0, slash)).getAddress();
      int maxBits = address.length * Byte.SIZE;
      int bits = slash < 0 ? maxBits : Integer.parseInt(text, slash + 1, text.length(), 10);
      if (bits < 0 || bits > maxBits) {
        throw new IllegalArgumentException("a prefix is 0 to " + maxBits + " bits long");
      }
      return new Network(address, bits);
    }

    private static InetAddress literal(String text) {
      if (text.indexOf('%') >= 0) {
        throw new IllegalArgumentException(
            "an address with the name of an interface cannot be a network");
      }
      return InetAddresses.forString(text);
    }

    private static int bit(byte[] bytes, int index) {
      return bytes[index / Byte.SIZE] >> (Byte.SIZE - 1 - index % Byte.SIZE) & 1;
    }

    boolean contains(byte[] address) {
      if (address.length != prefix.length) {
        return false;
      }
      for (int index = 0; index < bits; index++) {
        if (bit(address, index) != bit(prefix, index)) {
          return false;
        }
      }
      return true;
    }
  }

  private AddressRules(List<Network> allowed, Set<Integer> ports, Resolver resolver) {
    this.allowed = List.copyOf(allowed);
    this.ports = Set.copyOf(ports);
    this.resolver = resolver;
  }

  /** Returns rules for ports 80 and 443 of public addresses, with the system's resolver. */
  public static AddressRules publicOnly() {
    return new AddressRules(List.of(), WEB_PORTS, InetAddress::getAllByName);
  }

  /**
   * Returns these rules with more ports allowed at public addresses.
   *
   * @throws IllegalArgumentException when a port is not within 1 to 65535
   */
  public AddressRules allowingPorts(Collection<Integer> addedPorts) {
    for (int port : addedPorts) {
      if (port < 1 || port > MAX_PORT) {
        throw new IllegalArgumentException("a port is 1 to " + MAX_PORT + ", was " + port);
      }
    }
    var allPorts = new HashSet<>(ports);
    allPorts.addAll(addedPorts);
    return new AddressRules(allowed, ports.isEmpty() ? ports : allPorts, resolver);
  }

  /** Returns these rules with every port allowed. */
  public AddressRules allowingAnyPort() {
    return new AddressRules(allowed, Set.of(), resolver);
  }

  /**
   * Returns these rules with networks that are allowed, public or not, at every port.
   *
   * @param networks networks such as {@code 10.1.0.0/16}, {@code fd00::/8} or {@code 192.168.1.7}
   * @throws IllegalArgumentException when an entry is not a network; the message says which and why
   */
  public AddressRules allowing(List<String> networks) {
    var allAllowed = new ArrayList<>(allowed);
    for (String network : networks) {
      try {
        allAllowed.add(Network.parse(network));
      } catch (IllegalArgumentException malformed) {
        throw new IllegalArgumentException(
            "not a network: " + network + " (" + malformed.getMessage() + ")", malformed);
      }
    }
    return new AddressRules(allAllowed, ports, resolver);
  }

  /** Returns these rules with another resolver. */
  public AddressRules withResolver(Resolver newResolver) {
    return new AddressRules(allowed, ports, newResolver);
  }

  /** Returns whether these rules allow the address, regardless of the port. */
  public boolean allows(InetAddress address) {
    return allows(address.getAddress());
  }

  private boolean allows(byte[] address) {
    if (isExplicitlyAllowed(address)) {
      return true;
    }
    return address.length == IPV4_BYTES ? isPublic(address) : allowsIpv6(address);
  }

  private boolean allowsIpv6(byte[] address) {
    if (MAPPED.contains(address) || COMPATIBLE.contains(address) || NAT64.contains(address)) {
      return allows(Arrays.copyOfRange(address, address.length - IPV4_BYTES, address.length));
    }
    if (!GLOBAL_IPV6.contains(address) || !isPublic(address)) {
      return false;
    }
    Inet6Address inet6Address = ipv6(address);
    return !InetAddresses.isIsatapAddress(inet6Address)
        || allows(InetAddresses.getIsatapIPv4Address(inet6Address).getAddress());
  }

  private static Inet6Address ipv6(byte[] address) {
    try {
      return Inet6Address.getByAddress("", address, -1);
    } catch (UnknownHostException impossible) {
      throw new IllegalArgumentException("not an IPv6 address", impossible);
    }
  }

  private static boolean isPublic(byte[] address) {
    for (Network network : SPECIAL) {
      if (network.contains(address)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the allowed addresses of a host, in the order the resolver gave them.
   *
   * @param host a name or a literal address; IPv6 with or without brackets
   * @throws Transport.AddressRefusedException when the host is neither, or when none of its
   *     addresses is allowed
   * @throws UnknownHostException when the name has no address
   */
  List<InetAddress> addresses(String host)
      throws UnknownHostException, Transport.AddressRefusedException {
    var allowedAddresses = new ArrayList<InetAddress>();
    for (InetAddress address : lookUp(host)) {
      if (allows(address)) {
        allowedAddresses.add(address);
      }
    }
    if (allowedAddresses.isEmpty()) {
      throw new Transport.AddressRefusedException(
          "the host has no address that may be connected to");
    }
    return allowedAddresses;
  }

  /** Returns the same as {@link #addresses(String)}, but only addresses allowed at the port. */
  List<InetAddress> addresses(String host, int port)
      throws UnknownHostException, Transport.AddressRefusedException {
    if (ports.isEmpty() || ports.contains(port)) {
      return addresses(host);
    }
    List<InetAddress> explicitlyAllowed =
        allowed.isEmpty()
            ? List.of()
            : Arrays.stream(lookUp(host))
                .filter(address -> isExplicitlyAllowed(address.getAddress()))
                .toList();
    if (explicitlyAllowed.isEmpty()) {
      throw new Transport.AddressRefusedException("the port may not be connected to");
    }
    return explicitlyAllowed;
  }

  /** Returns whether an address is in a network that the operator allows, public or not. */
  private boolean isExplicitlyAllowed(byte[] address) {
    for (Network network : allowed) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  private InetAddress[] lookUp(String host)
      throws UnknownHostException, Transport.AddressRefusedException {
    String literal =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    if (LITERAL.matchesAllOf(literal) && InetAddresses.isInetAddress(literal)) {
      return new InetAddress[] {InetAddresses.forString(literal)};
    }
    if (!CharMatcher.ascii().matchesAllOf(host) || !InternetDomainName.isValid(host)) {
      throw new Transport.AddressRefusedException("the host is neither a name nor an address");
    }
    return resolver.resolve(host);
  }

  private static byte[] mappedPrefix() {
    byte[] prefix = new byte[16];
    prefix[10] = (byte) 0xFF;
    prefix[11] = (byte) 0xFF;
    return prefix;
  }

  private static List<Network> networks(String... texts) {
    return Arrays.stream(texts).map(Network::parse).toList();
  }

  /** Returns a description with the number of allowed networks, for logs. */
  @Override
  public String toString() {
    return "public addresses and " + allowed.size() + " networks";
  }
}
