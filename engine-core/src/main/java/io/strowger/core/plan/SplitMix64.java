package io.strowger.core.plan;

/**
 * Chance that can be repeated: the published SplitMix64 generator, written out because plans are
 * replayed from logs and the JDK does not promise the sequence of its own. Not thread-safe.
 */
public final class SplitMix64 {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;

  private long state;

  public SplitMix64(long seed) {
    state = seed;
  }

  /** The next 64 bits. */
  public long next() {
    state += GAMMA;
    return mix(state);
  }

  /** The next number from 0, inclusive, to 1, exclusive; every multiple of 2^-53 is as likely. */
  public double nextUnit() {
    return (next() >>> 11) * UNIT;
  }

  /** What the n-th call of {@link #next()} would give, n from 0: a seed for the n-th of several. */
  static long derive(long seed, int n) {
    return mix(seed + (n + 1) * GAMMA);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
