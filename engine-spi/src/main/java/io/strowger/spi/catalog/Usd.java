package io.strowger.spi.catalog;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.math.BigDecimal;

/**
 * An amount of money. Exact: arithmetic beyond the range throws instead of wrapping.
 *
 * @param nanos billionths of a US dollar; the range is about 9.2 billion dollars either way
 */
public record Usd(long nanos) implements Comparable<Usd> {
  public static final Usd ZERO = new Usd(0);

  private static final int DECIMALS = 9;
  private static final long[] POWERS_OF_TEN = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
  };

  /** Returns an amount given in dollars; throws {@link ArithmeticException} beyond 9 decimals. */
  public static Usd ofDollars(BigDecimal dollars) {
    return new Usd(dollars.movePointRight(9).longValueExact());
  }

  /** Returns an amount given in trillionths of a dollar, rounded once, half even. */
  public static Usd ofPicos(long picos) {
    return new Usd(divideHalfEven(picos, 1000));
  }

  /**
   * Returns a share of a sum of picodollars, rounded once, half even.
   *
   * @param numerator of the share
   * @param denominator of the share, positive
   * @throws ArithmeticException when the picodollars times the numerator, or a thousand times the
   *     denominator, exceed the range of a {@code long}
   */
  public static Usd ofPicos(long picos, long numerator, long denominator) {
    return new Usd(
        divideHalfEven(
            Math.multiplyExact(picos, numerator), Math.multiplyExact(1000, denominator)));
  }

  static long divideHalfEven(long dividend, long divisor) {
    long quotient = Math.floorDiv(dividend, divisor);
    long doubledRemainder = Math.floorMod(dividend, divisor) * 2;
    boolean roundsUp =
        doubledRemainder > divisor || doubledRemainder == divisor && (quotient & 1) == 1;
    return roundsUp ? quotient + 1 : quotient;
  }

  public Usd plus(Usd other) {
    if (nanos == 0) {
      return other; // the first addition of every sum
    }
    return new Usd(Math.addExact(nanos, other.nanos));
  }

  public Usd minus(Usd other) {
    return new Usd(Math.subtractExact(nanos, other.nanos));
  }

  public boolean isMoreThan(Usd other) {
    return nanos > other.nanos;
  }

  /** Returns the amount in dollars, as in responses: plain digits, no trailing zeros. */
  public BigDecimal dollars() {
    int zeros = trailingZeros();
    return BigDecimal.valueOf(nanos / POWERS_OF_TEN[zeros], DECIMALS - zeros);
  }

  /** Returns {@link #dollars} as a JSON number. */
  public Json.Num json() {
    int zeros = trailingZeros();
    return Json.decimal(nanos / POWERS_OF_TEN[zeros], DECIMALS - zeros);
  }

  /** Writes {@link #dollars} as a JSON number. */
  public void writeTo(JsonOutput out) {
    int zeros = trailingZeros();
    out.decimal(nanos / POWERS_OF_TEN[zeros], DECIMALS - zeros);
  }

  private int trailingZeros() {
    int zeros = 0;
    while (zeros < DECIMALS && nanos % POWERS_OF_TEN[zeros + 1] == 0) {
      zeros++;
    }
    return zeros;
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
