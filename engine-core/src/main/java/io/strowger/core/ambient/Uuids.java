package io.strowger.core.ambient;

import io.strowger.spi.ambient.Ambient;
import java.util.UUID;

/** Makes ids for new resources: version 4 UUIDs from the ambient's random numbers. Not secret. */
public final class Uuids {
  private static final long VERSION_BITS = 0xF000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_BITS = 0xC000_0000_0000_0000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private Uuids() {}

  public static UUID next(Ambient ambient) {
    long high = ambient.seed() & ~VERSION_BITS | VERSION_4;
    long low = ambient.seed() & ~VARIANT_BITS | VARIANT;
    return new UUID(high, low);
  }
}
