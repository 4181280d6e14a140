package io.strowger.core.dialect;

import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads amounts of any size and precision as whole numbers of a small unit, rounded down and capped
 * at {@link Long#MAX_VALUE}. Used for bounds: a value within the caller's bound is also within the
 * rounded one.
 */
final class FixedPointAmounts {
  private static final int MAX_CHARS = 64;
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?");

  private FixedPointAmounts() {}

  /**
   * Returns the rule for a price of at least 0, given as a number or as its text.
   *
   * @param decimals the power of ten from the caller's dollars to picodollars for one item: 12 for
   *     a price per item, 6 for a price per million items
   */
  static Rule<UnitPrice> price(int decimals) {
    return (value, context) -> {
      BigDecimal amount = value instanceof Json.Str str ? parse(str) : Rules.decimal(value);
      if (amount != null && amount.signum() >= 0) {
        return new UnitPrice(floor(amount, decimals));
      }
      context.reject("must be an amount of at least 0, such as \"0.5\"", value);
      return null;
    };
  }

  /**
   * Returns the rule for a number of at least 0.
   *
   * @param decimals the number of decimals kept: the result is in units of 10^-decimals
   */
  static Rule<Long> atLeastZero(int decimals) {
    return (value, context) -> {
      BigDecimal amount = Rules.decimal(value);
      if (amount != null && amount.signum() >= 0) {
        return floor(amount, decimals);
      }
      context.reject("must be a number of at least 0", value);
      return null;
    };
  }

  /**
   * Parses a number, or returns null when the text is none. Checks the length first: the time to
   * parse a number grows with the square of its length.
   */
  private static @Nullable BigDecimal parse(Json.Str str) {
    return str.utf8Bound() <= MAX_CHARS && NUMBER.matcher(str.text()).matches()
        ? new BigDecimal(str.text())
        : null;
  }

  /**
   * Returns the amount in the small unit, rounded down. Checks the size first: expanded, {@code
   * 1e999999999} would fill the memory.
   */
  private static long floor(BigDecimal amount, int decimals) {
    long digits = (long) amount.precision() - amount.scale() + decimals; // before the point
    if (amount.signum() == 0 || digits <= 0) {
      return 0;
    }
    if (digits > 19) {
      return Long.MAX_VALUE;
    }
    BigInteger scaled =
        amount.movePointRight(decimals).setScale(0, RoundingMode.FLOOR).unscaledValue();
    return scaled.bitLength() > 63 ? Long.MAX_VALUE : scaled.longValue();
  }
}
