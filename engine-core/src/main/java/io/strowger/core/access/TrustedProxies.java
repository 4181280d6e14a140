package io.strowger.core.access;

import io.strowger.core.config.IpNetwork;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The proxies trusted to state a client's address. Any client can send {@code X-Forwarded-For} or
 * {@code Forwarded}, so the headers are read only when the connection comes from one of these, and
 * from the right: each proxy appends the address it was called from, so the rightmost address that
 * is not a trusted proxy is the last one that cannot be forged. Immutable.
 */
public final class TrustedProxies {
  /** Trusts no proxy: the client's address is that of the connection. */
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  private static final String X_FORWARDED_FOR = "X-Forwarded-For";
  private static final String FORWARDED = "Forwarded";

  private final List<IpNetwork> networks;

  /**
   * @param networks the addresses of the proxies
   */
  public TrustedProxies(List<IpNetwork> networks) {
    this.networks = List.copyOf(networks);
  }

  /**
   * Returns the address a request comes from: that of the connection, unless a trusted proxy names
   * another. It stays the address of the connection when the named address is invalid. It also
   * stays when both headers contradict each other, because one of the headers may come from the
   * client.
   *
   * @param peer the address the connection comes from
   * @param headers returns all values of a header in order; empty when there are none
   */
  public InetAddress client(InetAddress peer, Function<String, List<String>> headers) {
    if (!isTrusted(peer)) {
      return peer;
    }
    List<String> forwardedFor = addresses(headers.apply(X_FORWARDED_FOR));
    List<String> forwarded = forwardedAddresses(headers.apply(FORWARDED));
    InetAddress xForwardedForClient = client(peer, forwardedFor);
    InetAddress forwardedClient = client(peer, forwarded);
    if (forwardedFor.isEmpty() || forwarded.isEmpty()) {
      return forwardedFor.isEmpty() ? forwardedClient : xForwardedForClient;
    }
    return xForwardedForClient.equals(forwardedClient) ? xForwardedForClient : peer;
  }

  private boolean isTrusted(InetAddress address) {
    for (IpNetwork network : networks) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the rightmost hop that is no trusted proxy; the leftmost hop when all hops are. */
  private InetAddress client(InetAddress peer, List<String> hops) {
    InetAddress last = peer;
    for (int i = hops.size() - 1; i >= 0; i--) {
      InetAddress hop = parseHop(hops.get(i));
      if (hop == null) {
        return peer;
      }
      last = hop;
      if (!isTrusted(hop)) {
        break;
      }
    }
    return last;
  }

  /** Splits all values at commas: several headers mean the same as one with all values. */
  private static List<String> addresses(List<String> values) {
    List<String> hops = new ArrayList<>();
    for (String value : values) {
      for (String hop : value.split(",", -1)) {
        hops.add(hop.strip());
      }
    }
    return hops;
  }

  /** Returns the {@code for} of each {@code Forwarded} element; "" when it has none. */
  private static List<String> forwardedAddresses(List<String> values) {
    List<String> hops = new ArrayList<>();
    for (String value : values) {
      for (String element : value.split(",", -1)) {
        hops.add(forParameter(element));
      }
    }
    return hops;
  }

  private static String forParameter(String element) {
    for (String pair : element.split(";", -1)) {
      String stripped = pair.strip();
      if (stripped.toLowerCase(Locale.ROOT).startsWith("for=")) {
        String node = stripped.substring("for=".length()).strip();
        boolean quoted = node.length() >= 2 && node.startsWith("\"") && node.endsWith("\"");
        return quoted ? node.substring(1, node.length() - 1) : node;
      }
    }
    return "";
  }

  /** Parses an address with an optional port; null when it is not an address. */
  private static @Nullable InetAddress parseHop(String text) {
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      return end < 0 || !isPort(text.substring(end + 1))
          ? null
          : IpNetwork.address(text.substring(1, end));
    }
    int colon = text.indexOf(':');
    boolean hasPort = colon > 0 && colon == text.lastIndexOf(':');
    if (hasPort) {
      return isPort(text.substring(colon)) ? IpNetwork.address(text.substring(0, colon)) : null;
    }
    return IpNetwork.address(text);
  }

  private static boolean isPort(String text) {
    return text.isEmpty() || text.matches(":[0-9A-Za-z._-]{1,20}");
  }
}
