package io.strowger.core.resource;

import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules that several resources share. */
final class ResourceRules {
  /** The largest limit in dollars, within the range of {@link Usd}. */
  static final BigDecimal MAX_DOLLARS = BigDecimal.valueOf(9_000_000_000L);

  private static final int USD_DECIMALS = 9;

  static final Rule<Boolean> FLAG = Rules.bool().to(Json.Bool::value, "must be true or false");

  static final Rule<Json> JSON_FLAG = FLAG.to(Json::of);

  /** The hash of an API key. */
  static final Rule<String> HASH =
      Rules.matching(
          Pattern.compile("[0-9a-f]{64}"), "must be the hash of a key, 64 lower-case hex digits");

  static final Rule<Instant> TIMESTAMP =
      Rules.string().to(text -> Timestamps.parse(text.text()), Timestamps.ALLOWED);

  static final Rule<Usd> LIMIT =
      Rules.number()
          .to(
              ResourceRules::limit,
              "must be a number from 0 to "
                  + MAX_DOLLARS.toPlainString()
                  + " with at most 9 decimals");

  /** The rule for the reset interval of a limit; null means never. */
  static final Rule<Period> RESET =
      orElse(
          Rules.wordAmong("daily", "weekly", "monthly")
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

  /** Returns the rule for a text that is kept in its JSON form. */
  static Rule<Json> json(Rule<String> rule) {
    return rule.to(Json::of);
  }

  /** Returns the rule for a list of texts that is kept in its JSON form. */
  static Rule<Json> jsonList(Rule<List<String>> rule) {
    return rule.to(texts -> Json.array(texts.stream().map(Json::of).toList()));
  }

  /**
   * Returns a rule that reads an explicit null as the given value, and any other value by another
   * rule.
   */
  static <T> Rule<T> orElse(Rule<T> rule, T nullValue) {
    return (given, context) -> given instanceof Json.Null ? nullValue : rule.read(given, context);
  }

  private static @Nullable Usd limit(BigDecimal dollars) {
    BigDecimal stripped = dollars.stripTrailingZeros();
    // checks the scale first, so that a huge exponent is not expanded into digits
    boolean hasAllowedScale = stripped.scale() <= USD_DECIMALS && stripped.scale() >= -USD_DECIMALS;
    return hasAllowedScale && stripped.signum() >= 0 && stripped.compareTo(MAX_DOLLARS) <= 0
        ? Usd.ofDollars(stripped)
        : null;
  }
}
