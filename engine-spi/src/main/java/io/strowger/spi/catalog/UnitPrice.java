package io.strowger.spi.catalog;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The price of one token, request, image, second or character.
 *
 * @param picos trillionths of a US dollar, at least 0
 */
public record UnitPrice(long picos) implements Comparable<UnitPrice> {
  public static final UnitPrice FREE = new UnitPrice(0);

  /** The highest price there is. */
  public static final UnitPrice HIGHEST = new UnitPrice(Long.MAX_VALUE);

  private static final BigDecimal BEYOND_RANGE = BigDecimal.valueOf(Long.MAX_VALUE, 6);
  private static final BigDecimal MIN_PER_MILLION = BigDecimal.valueOf(1, 6);

  public UnitPrice {
    if (picos < 0) {
      throw new IllegalArgumentException("a price must be at least 0, was " + picos + " picos");
    }
  }

  /** Returns a price in dollars per unit; throws {@link ArithmeticException} beyond 12 decimals. */
  public static UnitPrice ofDollars(BigDecimal dollars) {
    return new UnitPrice(dollars.movePointRight(12).longValueExact());
  }

  /**
   * Returns a price in dollars per unit, rounded half even to twelve decimals, for external prices.
   */
  public static UnitPrice ofDollarsRounded(BigDecimal dollars) {
    return ofDollars(dollars.setScale(12, RoundingMode.HALF_EVEN));
  }

  /**
   * Returns the highest price that is at most this many dollars per million units, as price lists
   * quote tokens; {@link #HIGHEST} for a price beyond the range.
   *
   * @param dollarsPerMillion at least 0
   */
  public static UnitPrice ofDollarsPerMillion(BigDecimal dollarsPerMillion) {
    if (dollarsPerMillion.signum() < 0) {
      throw new IllegalArgumentException("a price must be at least 0");
    }
    if (dollarsPerMillion.compareTo(BEYOND_RANGE) >= 0) { // compared first: an exponent may be huge
      return HIGHEST;
    }
    return dollarsPerMillion.compareTo(MIN_PER_MILLION) < 0
        ? FREE
        : new UnitPrice(dollarsPerMillion.movePointRight(6).longValue());
  }

  public BigDecimal dollars() {
    return BigDecimal.valueOf(picos, 12).stripTrailingZeros();
  }

  /** Returns the dollars for a million units. */
  public BigDecimal dollarsPerMillion() {
    return BigDecimal.valueOf(picos, 6).stripTrailingZeros();
  }

  /** Returns whether this price is not above another. */
  public boolean isAtMost(UnitPrice other) {
    return picos <= other.picos;
  }

  @Override
  public int compareTo(UnitPrice other) {
    return Long.compare(picos, other.picos);
  }

  @Override
  public String toString() {
    return "$" + dollars().toPlainString();
  }
}
