package io.strowger.spi.routing;

import io.strowger.spi.catalog.UnitPrice;
import org.jspecify.annotations.Nullable;

/**
 * The maximum prices that a caller accepts. A null price is unbounded. Contract: "Provider
 * preferences", {@code max_price}.
 *
 * <p>A cap with more decimals than a price can have is rounded down, and a cap above all prices
 * becomes the highest price. Neither changes which endpoints the caller's number admits.
 *
 * @param prompt the maximum per prompt token; the caller states it per million
 * @param completion the maximum per output token; the caller states it per million
 * @param image per image
 * @param audio per unit of audio
 * @param request per request
 */
public record PriceCaps(
    @Nullable UnitPrice prompt,
    @Nullable UnitPrice completion,
    @Nullable UnitPrice image,
    @Nullable UnitPrice audio,
    @Nullable UnitPrice request) {
  /** No cap. */
  public static final PriceCaps NONE = new PriceCaps(null, null, null, null, null);
}
