package io.strowger.core.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A block of IP addresses. Nothing here asks a name server.
 *
 * @param address any address of the block
 * @param prefix how many leading bits all addresses of the block share; 0 to 32, or 128 for IPv6
 */
public record IpNetwork(InetAddress address, int prefix) {
  private static final Pattern V4 =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

  /** What can be an IPv6 address; the colon keeps the JDK from taking it for a name. */
  private static final Pattern V6 = Pattern.compile("(?=.*:)[0-9A-Fa-f:.]{2,45}");

  private static final int OCTETS = 4;
  private static final int LARGEST_OCTET = 255;

  public IpNetwork {
    Objects.requireNonNull(address, "address");
    if (prefix < 0 || prefix > address.getAddress().length * Byte.SIZE) {
      throw new IllegalArgumentException("prefix is too long, was " + prefix);
    }
  }

  /**
   * Returns the block a text names: an address such as {@code 192.0.2.1} or {@code ::1}, or a CIDR
   * block such as {@code 10.0.0.0/8}; null when it names none.
   */
  public static @Nullable IpNetwork parse(String text) {
    int slash = text.indexOf('/');
    InetAddress address = address(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      return null;
    }
    int most = address.getAddress().length * Byte.SIZE;
    if (slash < 0) {
      return new IpNetwork(address, most);
    }
    String bits = text.substring(slash + 1);
    return bits.matches("\\d{1,3}") && Integer.parseInt(bits) <= most
        ? new IpNetwork(address, Integer.parseInt(bits))
        : null;
  }

  /**
   * Returns the address a text spells out; null when it spells none. An IPv4 address within IPv6
   * ({@code ::ffff:192.0.2.1}) is the IPv4 address.
   */
  public static @Nullable InetAddress address(String text) {
    try {
      Matcher v4 = V4.matcher(text);
      if (v4.matches()) {
        return v4(v4);
      }
      return V6.matcher(text).matches() ? InetAddress.getByName(text) : null;
    } catch (UnknownHostException notAnAddress) {
      return null;
    }
  }

  private static @Nullable InetAddress v4(Matcher octets) throws UnknownHostException {
    byte[] bytes = new byte[OCTETS];
    for (int i = 0; i < OCTETS; i++) {
      int octet = Integer.parseInt(octets.group(i + 1));
      if (octet > LARGEST_OCTET) {
        return null;
      }
      bytes[i] = (byte) octet;
    }
    return InetAddress.getByAddress(bytes);
  }

  /** Returns whether an address belongs to this block; one of the other family never does. */
  public boolean contains(InetAddress other) {
    byte[] mine = address.getAddress();
    byte[] theirs = other.getAddress();
    if (mine.length != theirs.length) {
      return false;
    }
    int whole = prefix / Byte.SIZE;
    for (int i = 0; i < whole; i++) {
      if (mine[i] != theirs[i]) {
        return false;
      }
    }
    int rest = prefix % Byte.SIZE;
    return rest == 0 || (mine[whole] ^ theirs[whole]) >> Byte.SIZE - rest == 0;
  }

  @Override
  public String toString() {
    return address.getHostAddress() + "/" + prefix;
  }
}
