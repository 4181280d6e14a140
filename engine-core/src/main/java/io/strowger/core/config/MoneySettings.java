package io.strowger.core.config;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Budget;
import io.strowger.spi.store.Payer;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/**
 * What may be spent.
 *
 * @param defaultOutputTokens most output tokens of a request that sets no limit itself, 1 to
 *     10,000,000
 * @param credits what the whole account may spend, at least 0
 */
public record MoneySettings(int defaultOutputTokens, Usd credits) {
  private static final long MOST_CREDITS = 9_000_000_000L;

  public MoneySettings {
    Objects.requireNonNull(credits, "credits");
  }

  /** The account, which all keys spend from. */
  public Payer account() {
    return Payer.account(List.of(new Budget(Period.LIFETIME, credits, false)));
  }

  /** Reads {@code money} and, beside it, {@code credits}. */
  static MoneySettings read(Section root) {
    BigDecimal credits = root.dollars("credits", 9, MOST_CREDITS, true);
    int tokens =
        root.section("money", money -> money.whole("default_output_tokens", 1, 10_000_000, 16_384));
    return new MoneySettings(
        tokens, Usd.ofDollars(credits == null ? BigDecimal.valueOf(1_000_000) : credits));
  }
}
