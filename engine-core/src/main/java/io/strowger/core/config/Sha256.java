package io.strowger.core.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The one digest used here. */
final class Sha256 {
  private Sha256() {}

  static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] of(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
