package io.strowger.core.ledger;

/** Sums of amounts that stay at the end of their range instead of going around it. */
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
