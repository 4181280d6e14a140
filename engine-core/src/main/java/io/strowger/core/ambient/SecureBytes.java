package io.strowger.core.ambient;

import java.security.SecureRandom;
import java.util.function.IntFunction;

/** Bytes nobody can guess, of the machine's own source: for keys and nonces. Safe on any thread. */
public final class SecureBytes implements IntFunction<byte[]> {
  private final SecureRandom random = new SecureRandom();

  @Override
  public byte[] apply(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
