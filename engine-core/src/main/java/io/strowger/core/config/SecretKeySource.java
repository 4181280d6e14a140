package io.strowger.core.config;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where the key comes from with which secrets are encrypted. Safe on any thread. */
@FunctionalInterface
public interface SecretKeySource {
  /** There is no key: nothing that has to be encrypted can be kept. */
  SecretKeySource NONE = () -> null;

  /**
   * The key; the same every time, also after a restart and on every node. Asked when the first
   * secret is to be kept or read, and not again once there was one. May do I/O.
   *
   * @return null when there is none
   * @throws IOException when it cannot be read or made; the message says what to do
   */
  @Nullable SecretKey key() throws IOException;
}
