package io.strowger.core.config;

import java.util.Base64;

/** What secrets are encrypted with: 256 bits. Shows nothing of itself in text. */
public final class SecretKey {
  /** How many there are. */
  public static final int BYTES = 32;

  private final byte[] bytes;

  private SecretKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * @param bytes 32 of them; copied
   * @throws IllegalArgumentException when there are more or fewer
   */
  public static SecretKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a secret key has 32 bytes, was " + bytes.length);
    }
    return new SecretKey(bytes.clone());
  }

  /** True when the text is the base64 form of 32 bytes. */
  public static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length == BYTES;
    } catch (IllegalArgumentException other) {
      return false;
    }
  }

  /**
   * @throws IllegalArgumentException when it is not the base64 form of 32 bytes
   */
  public static SecretKey ofBase64(String text) {
    return of(Base64.getDecoder().decode(text));
  }

  /** Returns a copy of the bytes, for a cipher. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return "secret key ***";
  }
}
