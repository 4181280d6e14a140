package io.strowger.core.config;

import com.google.common.base.CharMatcher;
import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A block of IP addresses. No method here makes a DNS query.
 *
 * @param address any address of the block
 * @param prefix how many leading bits all addresses of the block share; 0 to 32, or 128 for IPv6
 */
public record IpNetwork(InetAddress address, int prefix) {
  /** Excludes digits of other alphabets and interface names. */
  private static final CharMatcher LITERAL = CharMatcher.anyOf("0123456789abcdefABCDEF:.");

  public IpNetwork {
    Objects.requireNonNull(address, "address");
    int maxPrefix = address.getAddress().length * Byte.SIZE;
    if (prefix < 0 || prefix > maxPrefix) {
      throw new IllegalArgumentException("prefix must be 0 to " + maxPrefix + ", was " + prefix);
    }
  }

  /**
   * Returns the block that a text denotes: an address such as {@code 192.0.2.1} or {@code ::1}, or
   * a CIDR block such as {@code 10.0.0.0/8}; null when it is neither.
   */
  public static @Nullable IpNetwork parse(String text) {
    int slash = text.indexOf('/');
    InetAddress address = address(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      return null;
    }
    int maxPrefix = address.getAddress().length * Byte.SIZE;
    if (slash < 0) {
      return new IpNetwork(address, maxPrefix);
    }
    String bits = text.substring(slash + 1);
    return bits.matches("\\d{1,3}") && Integer.parseInt(bits) <= maxPrefix
        ? new IpNetwork(address, Integer.parseInt(bits))
        : null;
  }

  /**
   * Returns the address that a text denotes; null when it is not an IP address. An IPv4-mapped IPv6
   * address ({@code ::ffff:192.0.2.1}) is returned as the IPv4 address. A number with a leading
   * zero is refused, since some programs read it as octal.
   */
  public static @Nullable InetAddress address(String text) {
    return LITERAL.matchesAllOf(text) && InetAddresses.isInetAddress(text)
        ? InetAddresses.forString(text)
        : null;
  }

  /** Returns whether an address is in this block; false for the other IP version. */
  public boolean contains(InetAddress other) {
    byte[] bytes = address.getAddress();
    byte[] otherBytes = other.getAddress();
    if (bytes.length != otherBytes.length) {
      return false;
    }
    int fullBytes = prefix / Byte.SIZE;
    if (!Arrays.equals(bytes, 0, fullBytes, otherBytes, 0, fullBytes)) {
      return false;
    }
    int remainingBits = prefix % Byte.SIZE;
    return remainingBits == 0
        || (bytes[fullBytes] ^ otherBytes[fullBytes]) >> Byte.SIZE - remainingBits == 0;
  }

  @Override
  public String toString() {
    return address.getHostAddress() + "/" + prefix;
  }
}
