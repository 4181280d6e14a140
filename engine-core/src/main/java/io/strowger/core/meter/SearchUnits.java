package io.strowger.core.meter;

import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/** Computes the usage of a rerank, also when its upstream reports none or too much. */
public final class SearchUnits {
  private SearchUnits() {}

  /**
   * Returns the usage of a rerank. Units are estimated where they have a price and the upstream
   * counts none, or reports more than the request can take; the estimate assumes short documents.
   *
   * @param reportedUsage the upstream's own count; null when it gave none
   * @param members the members of a valid body
   */
  public static Usage of(@Nullable Usage reportedUsage, Json.Obj members, Pricing pricing) {
    Usage usage = reportedUsage == null ? Usage.NONE : reportedUsage;
    boolean isPlausible =
        usage.searchUnits() > 0 && usage.searchUnits() <= RerankSize.of(members).units();
    if (isPlausible || usage.searchUnits() == 0 && !pricing.isGiven(Price.SEARCH_UNITS)) {
      return usage;
    }
    Json.Arr documents = members.list("documents");
    long units = RerankSize.units(documents == null ? 0 : documents.size());
    return usage.toBuilder().searchUnits(units).estimated(true).build();
  }
}
