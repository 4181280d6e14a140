package io.strowger.core.health;

/**
 * Sorts values into buckets that grow with the value: each power of two has sixteen buckets of
 * equal width, so the middle of a bucket is within 1/32 (about 3 %) of every value in it. Values
 * outside the range go to the two buckets at its ends.
 */
final class LogLinearBuckets {
  /** The number of buckets: sixteen for each of 18 powers of two, and the two at the ends. */
  static final int BUCKETS = 18 * 16 + 2;

  private static final int POWERS = 18;
  private final int lowestPower;

  /**
   * @param lowestPower the power of two where the range begins, at least 4; the range ends 18
   *     powers higher
   */
  LogLinearBuckets(int lowestPower) {
    this.lowestPower = lowestPower;
  }

  int bucket(long value) {
    if (value < 1L << lowestPower) {
      return 0;
    }
    int power = 63 - Long.numberOfLeadingZeros(value);
    if (power >= lowestPower + POWERS) {
      return BUCKETS - 1;
    }
    return 1 + (power - lowestPower) * 16 + (int) (value >>> (power - 4) & 15);
  }

  /** Returns the value that represents a bucket. */
  long midpoint(int bucket) {
    if (bucket == 0) {
      return 1L << (lowestPower - 1);
    }
    if (bucket == BUCKETS - 1) {
      return 1L << (lowestPower + POWERS);
    }
    int power = lowestPower + (bucket - 1) / 16;
    long sixteenth = 1L << (power - 4);
    return (1L << power) + (bucket - 1) % 16 * sixteenth + sixteenth / 2;
  }
}
