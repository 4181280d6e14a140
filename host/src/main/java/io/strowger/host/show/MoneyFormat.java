package io.strowger.host.show;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.catalog.Usd;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Formats amounts and prices. */
public final class MoneyFormat {
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

  private MoneyFormat() {}

  /** Returns an amount, such as {@code $0.000012}. */
  public static String dollars(Usd amount) {
    String digits = amount.dollars().abs().toPlainString();
    return (amount.nanos() < 0 ? "-$" : "$") + digits;
  }

  /** Returns a token price in dollars per million, with two to four decimals. */
  public static String perMillion(UnitPrice price) {
    BigDecimal dollars =
        price.dollars().multiply(MILLION).setScale(4, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return dollars.setScale(Math.max(2, dollars.scale()), RoundingMode.UNNECESSARY).toPlainString();
  }
}
