package io.strowger.core.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes SHA-256. Safe on any thread. */
public final class Sha256 {
  private static final MessageDigest PROTOTYPE_DIGEST =
      newDigest(); // cloning it needs no provider lookup

  private Sha256() {}

  /** Returns the 32 bytes of the digest of a text in UTF-8. */
  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the 32 bytes of the digest of these bytes. */
  public static byte[] of(byte[] bytes) {
    return start().digest(bytes);
  }

  /** Returns a new digest, for input in pieces. */
  public static MessageDigest start() {
    try {
      return (MessageDigest) PROTOTYPE_DIGEST.clone();
    } catch (CloneNotSupportedException e) {
      return newDigest(); // for example, with a provider that computes digests in hardware
    }
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
