package io.strowger.core.plan;

import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.routing.PriceCaps;
import java.time.Instant;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Drops endpoints that cost more than the caller's price caps, by the prices that apply for a
 * prompt of this size at this hour. A price equal to its cap passes, and a missing price is 0.
 */
final class MaxPriceRule {
  private MaxPriceRule() {}

  static Test compile(RuleContext context) {
    RoutingQuery query = context.query();
    PriceCaps caps = query.preferences().maxPrice();
    return caps.equals(PriceCaps.NONE)
        ? Test.KEEPS_ALL
        : endpoint -> isDearer(endpoint, caps, query);
  }

  private static boolean isDearer(Endpoint endpoint, PriceCaps caps, RoutingQuery query) {
    Pricing pricing = pricingAt(endpoint, query.promptTokens(), query.at());
    return exceeds(pricing, Price.PROMPT, caps.prompt())
        || exceeds(pricing, Price.COMPLETION, caps.completion())
        || exceeds(pricing, Price.IMAGE, caps.image())
        || exceeds(pricing, Price.INPUT_AUDIO, caps.audio())
        || exceeds(pricing, Price.OUTPUT_AUDIO, caps.audio())
        || exceeds(pricing, Price.REQUEST, caps.request());
  }

  private static boolean exceeds(Pricing pricing, Price price, @Nullable UnitPrice cap) {
    return cap != null && pricing.picos(price) > cap.picos();
  }

  private static Pricing pricingAt(Endpoint endpoint, long promptTokens, Instant at) {
    Pricing pricing = endpoint.pricing();
    return pricing.overrides().isEmpty() ? pricing : pricing.effective(promptTokens, at);
  }

  static String reason(Endpoint endpoint, RuleContext context) {
    RoutingQuery query = context.query();
    PriceCaps caps = query.preferences().maxPrice();
    Pricing pricing = pricingAt(endpoint, query.promptTokens(), query.at());
    var sentences = new StringJoiner(", ");
    addPerMillion(sentences, "prompt", pricing.price(Price.PROMPT), caps.prompt());
    addPerMillion(sentences, "completion", pricing.price(Price.COMPLETION), caps.completion());
    add(sentences, "image", pricing.price(Price.IMAGE), caps.image());
    add(sentences, "audio", pricing.price(Price.INPUT_AUDIO), caps.audio());
    add(sentences, "audio output", pricing.price(Price.OUTPUT_AUDIO), caps.audio());
    add(sentences, "request", pricing.price(Price.REQUEST), caps.request());
    return sentences.toString();
  }

  /** Adds a token price that exceeds its cap, per million as callers state it. */
  private static void addPerMillion(
      StringJoiner sentences, String name, UnitPrice price, @Nullable UnitPrice cap) {
    if (cap != null && price.compareTo(cap) > 0) {
      sentences.add(
          name + " costs " + perMillion(price) + " > " + perMillion(cap) + " per million");
    }
  }

  private static String perMillion(UnitPrice price) {
    return "$" + price.dollars().movePointRight(6).stripTrailingZeros().toPlainString();
  }

  private static void add(
      StringJoiner sentences, String name, UnitPrice price, @Nullable UnitPrice cap) {
    if (cap != null && price.compareTo(cap) > 0) {
      sentences.add(name + " costs " + price + " > " + cap);
    }
  }
}
