package io.strowger.core.config;

import java.util.Base64;

/** A 256-bit key that encrypts secrets. Its text form hides the key. */
public final class SecretKey {
  /** The length of a key in bytes. */
  public static final int BYTES = 32;

  private final byte[] bytes;

  private SecretKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns a key of these bytes.
   *
   * @param bytes the 32 bytes of the key; copied
   * @throws IllegalArgumentException when there are more or fewer bytes
   */
  public static SecretKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a secret key has 32 bytes, was " + bytes.length);
    }
    return new SecretKey(bytes.clone());
  }

  /** Returns whether a text is the base64 form of 32 bytes. */
  public static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length == BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Returns the key that a base64 text encodes.
   *
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
