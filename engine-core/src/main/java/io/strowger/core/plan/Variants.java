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
 * @param admits the service tiers any suffix admits; bits of {@link ServiceTierMask}
 * @param statics the static suffixes, in order
 */
record Variants(ProviderSort.@Nullable Key sort, int admits, List<String> statics) {
  private static final Variants NONE = new Variants(null, 0, List.of());

  static Variants of(List<String> suffixes) {
    if (suffixes.isEmpty()) {
      return NONE;
    }
    ProviderSort.Key sort = null;
    int admits = 0;
    var statics = new ArrayList<String>();
    for (String suffix : suffixes) {
      switch (suffix.toLowerCase(Locale.ROOT)) {
        case "nitro" -> {
          sort = ProviderSort.Key.THROUGHPUT;
          admits |= ServiceTierMask.PRIORITY;
        }
        case "floor" -> {
          sort = ProviderSort.Key.PRICE;
          admits |= ServiceTierMask.FLEX;
        }
        case "exacto" -> sort = ProviderSort.Key.EXACTO;
        case "online" -> {
          // handled by the web plugin
        }
        default -> statics.add(suffix);
      }
    }
    return new Variants(sort, admits, statics);
  }

  /** Returns the slug with the static suffixes appended. */
  String on(String slug) {
    return statics.isEmpty() ? slug : slug + ":" + String.join(":", statics);
  }
}
