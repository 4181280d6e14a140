package io.strowger.core.config;

import io.strowger.spi.catalog.Usd;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The spending limits of the account.
 *
 * @param defaultOutputTokens how many output tokens are held for when neither the request nor the
 *     endpoint has a limit, 1 to 10,000,000
 * @param credits the most the whole account may spend, at least 0
 * @param creditsUrl the http or https page where callers get more credits; null for none
 */
public record MoneySettings(int defaultOutputTokens, Usd credits, @Nullable String creditsUrl) {
  private static final String URL_RULE = "must be an http or https address";
  private static final long MAX_CREDITS = 9_000_000_000L;

  public MoneySettings {
    Objects.requireNonNull(credits, "credits");
  }

  /** Reads {@code money} and the top-level member {@code credits}. */
  static MoneySettings read(Section root) {
    BigDecimal credits = root.dollars("credits", 9, MAX_CREDITS, true);
    Usd creditLimit = Usd.ofDollars(credits == null ? BigDecimal.valueOf(1_000_000) : credits);
    return root.section(
        "money",
        money ->
            new MoneySettings(
                money.wholeNumber("default_output_tokens", 1, 10_000_000, 16_384),
                creditLimit,
                money.text("credits_url", URL_RULE, MoneySettings::isWebUrl)));
  }

  private static boolean isWebUrl(String text) {
    try {
      URI uri = new URI(text);
      return uri.getHost() != null
          && ("https".equalsIgnoreCase(uri.getScheme())
              || "http".equalsIgnoreCase(uri.getScheme()));
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
