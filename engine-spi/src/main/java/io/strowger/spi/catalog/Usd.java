package io.strowger.spi.catalog;

import java.math.BigDecimal;

/**
 * An amount of money. Exact: arithmetic beyond the range throws instead of wrapping.
 *
 * @param nanos billionths of a US dollar; the range is about 9.2 billion dollars either way
 */
public record Usd(long nanos) implements Comparable<Usd> {
  public static final Usd ZERO = new Usd(0);

  /** The amount in dollars. Digits beyond nine decimals throw {@link ArithmeticException}. */
  public static Usd ofDollars(BigDecimal dollars) {
    return new Usd(dollars.movePointRight(9).longValueExact());
  }

  /** The amount in trillionths of a dollar, rounded once, half even. */
  public static Usd ofPicos(long picos) {
    return new Usd(divideHalfEven(picos, 1000));
  }

  /**
   * A share of a sum of picodollars, rounded once.
   *
   * @param numerator of the share
   * @param denominator of the share, positive
   * @throws ArithmeticException when the sum is beyond the range
   */
  public static Usd ofPicos(long picos, long numerator, long denominator) {
    return new Usd(
        divideHalfEven(
            Math.multiplyExact(picos, numerator), Math.multiplyExact(1000, denominator)));
  }

  static long divideHalfEven(long dividend, long divisor) {
    long quotient = Math.floorDiv(dividend, divisor);
    long twice = Math.floorMod(dividend, divisor) * 2;
    boolean up = twice > divisor || twice == divisor && (quotient & 1) == 1;
    return up ? quotient + 1 : quotient;
  }

  public Usd plus(Usd other) {
    return new Usd(Math.addExact(nanos, other.nanos));
  }

  public Usd minus(Usd other) {
    return new Usd(Math.subtractExact(nanos, other.nanos));
  }

  public boolean isMoreThan(Usd other) {
    return nanos > other.nanos;
  }

  /** The amount in dollars, as it goes on the wire: plain digits, no trailing zeros. */
  public BigDecimal dollars() {
    long unscaled = nanos;
    int decimals = 9;
    while (decimals > 0 && unscaled % 10 == 0) {
      unscaled /= 10;
      decimals--;
    }
    return BigDecimal.valueOf(unscaled, decimals);
  }

  @Override
  public int compareTo(Usd other) {
    return Long.compare(nanos, other.nanos);
  }

  @Override
  public String toString() {
    return "$" + dollars().toPlainString();
  }
}
