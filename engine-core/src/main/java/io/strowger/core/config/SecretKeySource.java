package io.strowger.core.config;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Supplies the key that encrypts secrets. Safe on any thread. */
@FunctionalInterface
public interface SecretKeySource {
  /** Supplies no key: secrets cannot be stored. */
  SecretKeySource NONE = () -> null;

  /**
   * Returns the key, which must be the same every time, after a restart and on every node. Called
   * when the first secret is stored or read, and not again after it has returned a key. May do I/O.
   *
   * @return the key; null when there is none
   * @throws IOException when the key cannot be read or created; the message says what to do
   */
  @Nullable SecretKey key() throws IOException;
}
