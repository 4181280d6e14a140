package io.strowger.core.listing;

import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * Prices as listings show them: net dollars per token, request or image, as decimal strings. The
 * prompt and completion prices are always shown, others only when they were given. Resources fact
 * sheet, section 8; open question 37.
 */
final class PricingJson {
  private PricingJson() {}

  static Json.Obj of(Pricing pricing) {
    var json = Json.object();
    for (Price price : Price.values()) {
      if (price == Price.PROMPT || price == Price.COMPLETION || pricing.isGiven(price)) {
        put(json, price, pricing.price(price));
      }
    }
    json.put("discount", 0);
    List<Json> overrides = pricing.overrides().stream().<Json>map(PricingJson::override).toList();
    return overrides.isEmpty()
        ? json.build()
        : json.put("overrides", Json.array(overrides)).build();
  }

  private static Json.Obj override(Pricing.Override override) {
    var json = Json.object();
    Long tokens = override.minPromptTokens();
    Integer start = override.utcStart();
    Integer end = override.utcEnd();
    if (tokens != null) {
      json.put("min_prompt_tokens", tokens);
    } else if (start == null) {
      json.put("min_prompt_tokens", 0); // unconditional: every prompt has at least 0 tokens
    }
    if (start != null && end != null) {
      json.put("utc_start", start).put("utc_end", end);
    }
    override.prices().forEach((price, dollars) -> put(json, price, dollars));
    return json.build();
  }

  private static void put(Json.Obj.Builder json, Price price, UnitPrice dollars) {
    json.put(price.wireName(), dollars.dollars().toPlainString());
  }
}
