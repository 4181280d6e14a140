package io.strowger.core.access;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The network that failed credentials are counted for: one IPv4 address, or the 64 leading bits of
 * an IPv6 address, because that is what one subscriber gets.
 *
 * @param v6 whether the bits are of an IPv6 address
 * @param bits the address, or its first half
 */
public record ClientNetwork(boolean v6, long bits) {
  /** The bits of a /64 that distinguish it within its /48. */
  private static final long SUBNET_BITS = 0xffff;

  /** Returns the network of an address. */
  public static ClientNetwork of(InetAddress address) {
    byte[] bytes = address.getAddress();
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return bytes.length == Integer.BYTES
        ? new ClientNetwork(false, Integer.toUnsignedLong(buffer.getInt()))
        : new ClientNetwork(true, buffer.getLong());
  }

  /** Returns the /48 an IPv6 network belongs to; null for an IPv4 address. */
  @Nullable ClientNetwork enclosing() {
    return v6 ? new ClientNetwork(true, bits & ~SUBNET_BITS) : null;
  }
}
