package io.strowger.spi.routing;

import io.strowger.spi.catalog.UnitPrice;
import org.jspecify.annotations.Nullable;

/**
 * The most a caller wants to pay; null leaves a price unbounded. Contract: "Provider preferences",
 * {@code max_price}.
 *
 * <p>A cap that has more decimals than a price can have is rounded down, one that is beyond all
 * prices is the highest price there is: neither lets anything pass that the caller's own number
 * does not, nor keeps anything out.
 *
 * @param prompt per token, though the caller states it per million
 * @param completion per token, though the caller states it per million
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
