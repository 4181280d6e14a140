package io.strowger.core.ledger;

/** Adds and subtracts longs, clamping to the range instead of overflowing. */
final class SaturatingMath {
  private SaturatingMath() {}

  static long plus(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) >= 0 ? sum : a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  static long minus(long a, long b) {
    long difference = a - b;
    return ((a ^ b) & (a ^ difference)) >= 0 ? difference : a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }
}
