package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says which of the models asked for there are not, and which ones may have been meant. */
final class UnresolvedModels {
  private static final Set<String> DYNAMIC_VARIANTS = Set.of("nitro", "floor", "exacto", "online");
  private static final int SHOWN = 80;

  /** Most names that are looked at closely: to find what one may have meant costs a whole pass. */
  private static final int NAMED = 10;

  private UnresolvedModels() {}

  /** The error for a list in which at least one name, or every name, is missing. */
  static GatewayError error(List<ModelRef> requested, Catalog catalog) {
    if (requested.isEmpty()) {
      return GatewayError.of(ErrorCode.INVALID_REQUEST, "No model is named");
    }
    var unknown = new ArrayList<String>();
    var unsupported = new ArrayList<String>();
    List<ModelRef> missing =
        requested.stream().filter(ref -> catalog.model(ref.toString()) == null).toList();
    for (ModelRef ref : missing.subList(0, Math.min(NAMED, missing.size()))) {
      String feature = unsupportedFeature(ref);
      if (feature == null) {
        unknown.add(unknown(ref, catalog));
      } else {
        unsupported.add(shown(ref.toString()) + ": " + feature + " not supported yet");
      }
    }
    if (missing.size() > NAMED) {
      unsupported.add("and " + (missing.size() - NAMED) + " more");
    }
    if (unknown.isEmpty()) {
      return GatewayError.of(ErrorCode.INVALID_REQUEST, String.join("; ", unsupported));
    }
    unknown.addAll(unsupported);
    return GatewayError.of(ErrorCode.MODEL_NOT_FOUND, String.join("; ", unknown))
        .withAvailability(Availability.of(ErrorCode.MODEL_NOT_FOUND, requested));
  }

  private static @Nullable String unsupportedFeature(ModelRef ref) {
    String slug = ref.slug().toLowerCase(Locale.ROOT);
    if (slug.startsWith("~")) {
      return "aliases that follow the latest model of a family are";
    }
    if (slug.startsWith("router/")) {
      return "models that are routers are";
    }
    for (String variant : ref.variants()) {
      if (DYNAMIC_VARIANTS.contains(variant.toLowerCase(Locale.ROOT))) {
        return "the variant :" + variant + " is";
      }
    }
    return null;
  }

  private static String unknown(ModelRef ref, Catalog catalog) {
    List<String> similar = SimilarModels.of(ref, catalog);
    String sentence = "No model is called " + shown(ref.toString());
    return similar.isEmpty()
        ? sentence
        : sentence + "; similar names: " + String.join(", ", similar);
  }

  private static String shown(String name) {
    return '"' + (name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "...") + '"';
  }
}
