package io.strowger.core.config;

import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;

/** Reads {@code pricing}. */
final class PricingReader {
  private static final long MAX_DOLLARS = 1_000_000; // so that sums of prices do not overflow

  private PricingReader() {}

  static Pricing read(Section in) {
    var pricing = Pricing.builder();
    prices(in).forEach(pricing::set);
    in.sections("overrides", (override, i) -> override(override)).forEach(pricing::override);
    return pricing.build();
  }

  private static Map<Price, UnitPrice> prices(Section in) {
    var prices = new EnumMap<Price, UnitPrice>(Price.class);
    for (Price price : Price.values()) {
      BigDecimal dollars = in.dollars(price.wireName(), 12, MAX_DOLLARS, false);
      if (dollars != null) {
        prices.put(price, UnitPrice.ofDollars(dollars));
      }
    }
    return prices;
  }

  private static Pricing.Override override(Section in) {
    Long tokens = in.wholeNumber("min_prompt_tokens", 0, Integer.MAX_VALUE);
    Integer start = in.timeOfDay("utc_start");
    Integer end = in.timeOfDay("utc_end");
    if (in.has("utc_start") != in.has("utc_end")) {
      in.hiddenProblem(
          in.has("utc_start") ? "utc_end" : "utc_start",
          "is required, since utc_start and utc_end go together");
    } else if (start != null && start.equals(end)) {
      in.problem("utc_end", "must differ from utc_start");
    }
    var prices = prices(in);
    boolean hasWindow = start != null && end != null;
    return new Pricing.Override(tokens, hasWindow ? start : null, hasWindow ? end : null, prices);
  }
}
