package io.strowger.core.administration;

import java.util.Base64;
import java.util.Objects;
import java.util.function.IntFunction;

/** Makes the plaintexts of new keys: 256 bits nobody can guess behind {@code sk-}. */
public final class KeySecrets {
  private static final int BYTES = 32;

  private final IntFunction<byte[]> random;

  /**
   * @param random so many bytes that cannot be guessed
   */
  public KeySecrets(IntFunction<byte[]> random) {
    this.random = Objects.requireNonNull(random, "random");
  }

  String next() {
    byte[] bytes = random.apply(BYTES);
    if (bytes.length != BYTES) {
      throw new IllegalStateException("a key needs 32 random bytes, got " + bytes.length);
    }
    return "sk-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
