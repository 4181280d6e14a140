package io.strowger.core.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Computes SHA-256 without making a new digest each time: a few are kept for whoever comes next,
 * cleared of what they read. Safe on any thread.
 */
public final class Sha256 {
  private static final int PLACES = 16;

  /** Places are so many references apart, so that threads do not write to the same cache line. */
  private static final int APART = 16;

  private static final AtomicReferenceArray<@Nullable MessageDigest> SPARE =
      new AtomicReferenceArray<>(PLACES * APART);

  private Sha256() {}

  /** Returns the 32 bytes of the digest of a text in UTF-8. */
  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the 32 bytes of the digest of these bytes. */
  public static byte[] of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  /** Returns the 32 bytes of the digest of a part of these bytes. */
  public static byte[] of(byte[] bytes, int from, int count) {
    int place = ((int) Thread.currentThread().threadId() & PLACES - 1) * APART;
    MessageDigest kept = SPARE.getAndSet(place, null);
    MessageDigest digest = kept == null ? start() : kept;
    digest.update(bytes, from, count);
    byte[] sha256 = digest.digest();
    digest.reset(); // its buffer has the end of what it read otherwise, which may be a key
    SPARE.setRelease(place, digest);
    return sha256;
  }

  /** Returns a new digest, for what comes in pieces. */
  public static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
