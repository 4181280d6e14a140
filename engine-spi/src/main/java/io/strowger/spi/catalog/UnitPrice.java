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

  public UnitPrice {
    if (picos < 0) {
      throw new IllegalArgumentException("a price must be at least 0, was " + picos + " picos");
    }
  }

  /** Dollars per unit. Digits beyond twelve decimals throw {@link ArithmeticException}. */
  public static UnitPrice ofDollars(BigDecimal dollars) {
    return new UnitPrice(dollars.movePointRight(12).longValueExact());
  }

  /**
   * Dollars per unit, rounded to twelve decimals, half even: for prices that come from elsewhere.
   */
  public static UnitPrice ofDollarsRounded(BigDecimal dollars) {
    return ofDollars(dollars.setScale(12, RoundingMode.HALF_EVEN));
  }

  public BigDecimal dollars() {
    return BigDecimal.valueOf(picos, 12).stripTrailingZeros();
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
