package io.strowger.core.health;

/**
 * Sorts values into buckets that grow with the value: each power of two has sixteen buckets of
 * equal width, so the middle of a bucket is within 1/32 (3.2 %) of every value in it. Values
 * outside the range go to the two buckets at its ends.
 */
final class LogLinearBuckets {
  /** The number of buckets: sixteen for each of 18 powers of two, and the two at the ends. */
  static final int BUCKETS = 18 * 16 + 2;

  private static final int OCTAVES = 18;
  private final int lowest;

  /**
   * @param lowest the power of two where the range begins; it ends 18 powers higher; at least 4
   */
  LogLinearBuckets(int lowest) {
    this.lowest = lowest;
  }

  int bucket(long value) {
    if (value < 1L << lowest) {
      return 0;
    }
    int power = 63 - Long.numberOfLeadingZeros(value);
    if (power >= lowest + OCTAVES) {
      return BUCKETS - 1;
    }
    return 1 + (power - lowest) * 16 + (int) (value >>> (power - 4) & 15);
  }

  /** Returns the value that represents a bucket. */
  long middle(int bucket) {
    if (bucket == 0) {
      return 1L << (lowest - 1);
    }
    if (bucket == BUCKETS - 1) {
      return 1L << (lowest + OCTAVES);
    }
    int power = lowest + (bucket - 1) / 16;
    long sixteenth = 1L << (power - 4);
    return (1L << power) + (bucket - 1) % 16 * sixteenth + sixteenth / 2;
  }
}
