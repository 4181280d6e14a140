package io.strowger.core.decode.resource;

import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.resource.Patch;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rules that several resources share. */
final class ResourceRules {
  /** Dollars of a limit stay below what the arithmetic of money can hold. */
  static final BigDecimal MOST_DOLLARS = BigDecimal.valueOf(9_000_000_000L);

  private static final int USD_DECIMALS = 9;

  static final Rule<Boolean> FLAG = Rules.bool().to(Json.Bool::value, "must be true or false");

  static final Rule<Instant> TIMESTAMP =
      Rules.string().to(text -> Timestamps.parse(text.text()), Timestamps.ALLOWED);

  static final Rule<Usd> LIMIT =
      Rules.number()
          .to(
              ResourceRules::limit,
              "must be a number from 0 to "
                  + MOST_DOLLARS.toPlainString()
                  + " with at most 9 decimals");

  /** How often a limit starts anew; null is never. */
  static final Rule<Period> RESET =
      orElse(
          Rules.word("daily", "weekly", "monthly")
              .to(
                  word ->
                      switch (word) {
                        case "daily" -> Period.DAILY;
                        case "weekly" -> Period.WEEKLY;
                        default -> Period.MONTHLY;
                      },
                  "must be daily, weekly or monthly"),
          Period.LIFETIME);

  private ResourceRules() {}

  /** An explicit null is right and means this. */
  static <T> Rule<T> orElse(Rule<T> rule, T ofNull) {
    return (given, reading) -> given instanceof Json.Null ? ofNull : rule.read(given, reading);
  }

  /** A member of a change that may only be set. */
  static <T> Rule<Patch<T>> change(Rule<T> rule) {
    return (given, reading) -> {
      T value = rule.read(given, reading);
      return value == null ? null : Patch.set(value);
    };
  }

  /** A member of a change that may be set or, by an explicit null, emptied. */
  static <T> Rule<Patch<T>> changeOrClear(Rule<T> rule) {
    return orElse(change(rule), Patch.clear());
  }

  private static @Nullable Usd limit(BigDecimal dollars) {
    BigDecimal plain = dollars.stripTrailingZeros();
    // the scale first: it decides without spelling out the digits of an exponent
    boolean exact = plain.scale() <= USD_DECIMALS && plain.scale() >= -USD_DECIMALS;
    return exact && plain.signum() >= 0 && plain.compareTo(MOST_DOLLARS) <= 0
        ? Usd.ofDollars(plain)
        : null;
  }
}
