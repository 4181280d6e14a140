package io.strowger.core.config;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The SHA-256 of a key's plaintext, which is what stands for the key everywhere. Four longs rather
 * than text, so that it can be a map's key without cost.
 */
public record KeyId(long a, long b, long c, long d) {
  /**
   * @param sha256 32 bytes
   */
  public static KeyId of(byte[] sha256) {
    if (sha256.length != 32) {
      throw new IllegalArgumentException("a SHA-256 has 32 bytes, was " + sha256.length);
    }
    ByteBuffer bytes = ByteBuffer.wrap(sha256);
    return new KeyId(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
  }

  /** Lower-case hex, 64 characters: the contract's {@code hash}. */
  public String hex() {
    ByteBuffer sha256 = ByteBuffer.allocate(32).putLong(a).putLong(b).putLong(c).putLong(d);
    return HexFormat.of().formatHex(sha256.array());
  }

  /** The first eight digits: enough to tell keys apart in a log. */
  @Override
  public String toString() {
    return hex().substring(0, 8);
  }
}
