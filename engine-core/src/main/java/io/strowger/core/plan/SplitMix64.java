package io.strowger.core.plan;

/**
 * The published SplitMix64 random number generator, implemented here because plans are replayed
 * from logs and the JDK does not promise the sequence of its own generator. Not thread-safe.
 */
public final class SplitMix64 {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;

  private long state;

  public SplitMix64(long seed) {
    state = seed;
  }

  /** Returns the next 64 random bits. */
  public long next() {
    state += GAMMA;
    return mix(state);
  }

  /** Returns the next number in [0, 1); every multiple of 2^-53 is equally likely. */
  public double nextDouble() {
    return (next() >>> 11) * UNIT;
  }

  /**
   * Returns the value that call n of {@link #next()}, counted from 0, returns for this seed. It is
   * used as the seed of part n.
   */
  static long derive(long seed, int n) {
    return mix(seed + (n + 1) * GAMMA);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
