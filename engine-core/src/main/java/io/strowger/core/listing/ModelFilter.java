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
  private static final int MILLION = 6;

  private final ModelList wanted;
  private final @Nullable BitSet providers; // by Endpoint.providerOrdinal(); null for any

  ModelFilter(ModelList wanted, Catalog catalog) {
    this.wanted = wanted;
    this.providers = providers(wanted.wanted().get("providers"), catalog);
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
    return speaks(entry)
        && isInRange(entry.top())
        && entry.contextLength() >= wanted.context()
        && isWanted("distillable", entry.model().distillable())
        && entry.endpoints().stream().anyMatch(this::admits);
  }

  private boolean speaks(ModelEntry entry) {
    List<String> words = wanted.outputModalities();
    TreeSet<String> outputs = entry.outputs();
    return words.contains(ALL) || words.stream().anyMatch(outputs::contains);
  }

  private boolean isInRange(Endpoint top) {
    BigDecimal price = top.pricing().price(Price.PROMPT).dollars().movePointRight(MILLION);
    BigDecimal least = wanted.price().least();
    BigDecimal most = wanted.price().most();
    return (least == null || price.compareTo(least) >= 0)
        && (most == null || price.compareTo(most) <= 0);
  }

  /**
   * Returns whether a property has the value that the query asks for; true when the query has no
   * such filter.
   */
  private boolean isWanted(String filter, boolean is) {
    String want = wanted.wanted().get(filter);
    return want == null || is == Boolean.parseBoolean(want);
  }

  private boolean admits(Endpoint endpoint) {
    Map<String, String> conditions = wanted.wanted();
    String region = conditions.get("region");
    return isWanted("zdr", !endpoint.provider().retainsPrompts())
        && (region == null || region.equalsIgnoreCase(endpoint.provider().region()))
        && (providers == null || providers.get(endpoint.providerOrdinal()));
  }
}
