package io.strowger.core.authentication;

import io.strowger.core.digest.Sha256;
import io.strowger.spi.store.KeyId;
import java.security.MessageDigest;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Computes the ids of keys. A few {@link MessageDigest} objects are kept for later requests; each
 * is reset after use, so that it holds nothing of a key. Safe on any thread.
 */
final class KeyDigests {
  private static final int SLOTS = 16;

  /**
   * The distance of two slots in the array, so that threads do not write to the same cache line.
   */
  private static final int SLOT_STRIDE = 16;

  private final AtomicReferenceArray<@Nullable MessageDigest> spareDigests =
      new AtomicReferenceArray<>(SLOTS * SLOT_STRIDE);

  /** Returns the id of the key in these bytes. */
  KeyId of(byte[] bytes, int from, int count) {
    int index = ((int) Thread.currentThread().threadId() & SLOTS - 1) * SLOT_STRIDE;
    MessageDigest idleDigest = spareDigests.getAndSet(index, null);
    MessageDigest digest = idleDigest == null ? Sha256.start() : idleDigest;
    digest.update(bytes, from, count);
    KeyId id = KeyId.of(digest.digest());
    digest.reset(); // otherwise its buffer keeps the end of the key
    spareDigests.setRelease(index, digest);
    return id;
  }
}
