package io.strowger.host.catalog;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Converts prices of lists to the decimal strings of a configuration. */
final class Prices {
  private static final int MAX_CHARS = 40;
  private static final BigDecimal MAX_DOLLARS = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal ROUNDS_TO_ZERO = new BigDecimal("0.0000000000005");

  private Prices() {}

  /**
   * Returns a price in dollars per unit as a decimal string; null when the value is not a valid
   * price.
   */
  static @Nullable String perUnit(@Nullable Json price) {
    return decimal(price, 0);
  }

  /**
   * Returns a price in dollars per million tokens as dollars per token; null when the value is not
   * a valid price.
   */
  static @Nullable String perToken(@Nullable Json perMillion) {
    return decimal(perMillion, 6);
  }

  private static @Nullable String decimal(@Nullable Json price, int shift) {
    String spelling =
        switch (price) {
          case Json.Num num -> num.spelling();
          case Json.Str str -> str.text();
          case null, default -> "";
        };
    if (spelling.isEmpty() || spelling.length() > MAX_CHARS) {
      return null;
    }
    try {
      BigDecimal dollars = new BigDecimal(spelling).movePointLeft(shift);
      if (dollars.signum() < 0 || dollars.compareTo(MAX_DOLLARS) > 0) {
        return null;
      }
      // compared before it is rounded: rounding 1e-999999999 would take a gigabyte
      return dollars.compareTo(ROUNDS_TO_ZERO) <= 0
          ? "0"
          : UnitPrice.ofDollarsRounded(dollars).dollars().toPlainString();
    } catch (ArithmeticException | NumberFormatException invalid) {
      return null;
    }
  }
}
