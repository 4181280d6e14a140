package io.strowger.core.ambient;

import java.security.SecureRandom;
import java.util.function.IntFunction;

/** Returns secure random bytes of the JDK, for keys and nonces. Safe on any thread. */
public final class SecureBytes implements IntFunction<byte[]> {
  private final SecureRandom random = new SecureRandom();

  @Override
  public byte[] apply(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
