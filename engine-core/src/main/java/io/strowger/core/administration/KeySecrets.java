package io.strowger.core.administration;

import java.util.Base64;
import java.util.Objects;
import java.util.function.IntFunction;

/** Creates the plaintexts of new keys: {@code sk-} followed by 256 unpredictable bits. */
public final class KeySecrets {
  private static final int BYTES = 32;

  private final IntFunction<byte[]> random;

  /**
   * @param random returns unpredictable bytes, as many as its argument says
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
