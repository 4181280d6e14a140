package io.strowger.core.plan;

import io.strowger.spi.routing.ProviderSort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The variant suffixes of a model's name. Dynamic ones apply to every model and influence routing;
 * static ones, such as {@code :free}, are part of the id of a model. Routing fact sheet, section
 * 10.
 *
 * @param sort the sort of the last dynamic suffix that has one; null for none
 * @param admittedTiers the service tiers any suffix admits; bits of {@link ServiceTierMask}
 * @param staticSuffixes the static suffixes, in order
 */
record Variants(ProviderSort.@Nullable Key sort, int admittedTiers, List<String> staticSuffixes) {
  private static final Variants NONE = new Variants(null, 0, List.of());

  static Variants of(List<String> suffixes) {
    if (suffixes.isEmpty()) {
      return NONE;
    }
    ProviderSort.Key sort = null;
    int admittedTiers = 0;
    var staticSuffixes = new ArrayList<String>();
    for (String suffix : suffixes) {
      switch (suffix.toLowerCase(Locale.ROOT)) {
        case "nitro" -> {
          sort = ProviderSort.Key.THROUGHPUT;
          admittedTiers |= ServiceTierMask.PRIORITY;
        }
        case "floor" -> {
          sort = ProviderSort.Key.PRICE;
          admittedTiers |= ServiceTierMask.FLEX;
        }
        case "exacto" -> sort = ProviderSort.Key.EXACTO;
        case "online" -> {
          // handled by the web plugin
        }
        default -> staticSuffixes.add(suffix);
      }
    }
    return new Variants(sort, admittedTiers, staticSuffixes);
  }

  /** Returns the slug with the static suffixes appended. */
  String appendTo(String slug) {
    return staticSuffixes.isEmpty() ? slug : slug + ":" + String.join(":", staticSuffixes);
  }
}
