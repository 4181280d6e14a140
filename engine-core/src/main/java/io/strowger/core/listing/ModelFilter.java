package io.strowger.core.listing;

import io.strowger.core.resource.Queries.ModelList;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Selects the models of a query. Conditions on endpoints - {@code zdr}, {@code region}, {@code
 * providers} - must all hold for the same endpoint; the price is that of a million prompt tokens at
 * the top endpoint. Resources fact sheet, section 8.
 */
final class ModelFilter {
  private static final String ALL = "all";
  private static final int MILLION_EXPONENT = 6;

  private final ModelList query;
  private final @Nullable BitSet providers; // by Endpoint.providerOrdinal(); null for any

  ModelFilter(ModelList query, Catalog catalog) {
    this.query = query;
    this.providers = providers(query.filters().get("providers"), catalog);
  }

  /** Returns the ordinals of the named providers; unknown names match none. */
  private static @Nullable BitSet providers(@Nullable String names, Catalog catalog) {
    if (names == null) {
      return null;
    }
    var ordinals = new BitSet();
    for (String name : names.split(",", -1)) {
      int ordinal = catalog.providerOrdinal(name.strip());
      if (ordinal >= 0) {
        ordinals.set(ordinal);
      }
    }
    return ordinals;
  }

  boolean admits(ModelEntry entry) {
    return matchesOutputs(entry)
        && isInRange(entry.topEndpoint())
        && entry.contextLength() >= query.minContextLength()
        && matches("distillable", entry.model().distillable())
        && entry.endpoints().stream().anyMatch(this::admits);
  }

  private boolean matchesOutputs(ModelEntry entry) {
    List<String> words = query.outputModalities();
    TreeSet<String> outputs = entry.outputs();
    return words.contains(ALL) || words.stream().anyMatch(outputs::contains);
  }

  private boolean isInRange(Endpoint top) {
    BigDecimal price = top.pricing().price(Price.PROMPT).dollars().movePointRight(MILLION_EXPONENT);
    BigDecimal min = query.priceRange().min();
    BigDecimal max = query.priceRange().max();
    return (min == null || price.compareTo(min) >= 0) && (max == null || price.compareTo(max) <= 0);
  }

  /**
   * Returns whether a property has the value that the query asks for; true when the query has no
   * such filter.
   */
  private boolean matches(String filter, boolean value) {
    String expected = query.filters().get(filter);
    return expected == null || value == Boolean.parseBoolean(expected);
  }

  private boolean admits(Endpoint endpoint) {
    Map<String, String> conditions = query.filters();
    String region = conditions.get("region");
    return matches("zdr", !endpoint.provider().retainsPrompts())
        && (region == null || region.equalsIgnoreCase(endpoint.provider().region()))
        && (providers == null || providers.get(endpoint.providerOrdinal()));
  }
}
