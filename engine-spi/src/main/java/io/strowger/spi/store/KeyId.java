package io.strowger.spi.store;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The SHA-256 digest of a key's plaintext, which identifies the key everywhere. Kept as four longs
 * rather than as text, so that it is cheap as the key of a map.
 */
public record KeyId(long a, long b, long c, long d) {
  /**
   * Returns the id of a key with this digest.
   *
   * @param sha256 32 bytes
   */
  public static KeyId of(byte[] sha256) {
    if (sha256.length != 32) {
      throw new IllegalArgumentException("a SHA-256 has 32 bytes, was " + sha256.length);
    }
    return new KeyId(
        quarter(sha256, 0), quarter(sha256, 1), quarter(sha256, 2), quarter(sha256, 3));
  }

  private static long quarter(byte[] sha256, int index) {
    long bits = 0;
    for (int i = index * Long.BYTES; i < (index + 1) * Long.BYTES; i++) {
      bits = bits << Byte.SIZE | sha256[i] & 0xff;
    }
    return bits;
  }

  /** Returns 64 lower-case hex digits: the contract's {@code hash}. */
  public String hex() {
    byte[] sha256 =
        ByteBuffer.allocate(4 * Long.BYTES).putLong(a).putLong(b).putLong(c).putLong(d).array();
    return HexFormat.of().formatHex(sha256);
  }

  /** Returns the first eight hex digits: enough to tell keys apart in a log. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(a).substring(0, 8);
  }
}
