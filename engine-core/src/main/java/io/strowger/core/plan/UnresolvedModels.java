package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;

/** Says which of the models asked for there are not, and which ones may have been meant. */
final class UnresolvedModels {
  /** Most names that are looked at closely: to find what one may have meant costs a whole pass. */
  private static final int NAMED = 10;

  private UnresolvedModels() {}

  /**
   * The error for a list in which at least one name, or every name, is missing.
   *
   * @param requested every name
   * @param missing those among them that mean nothing
   */
  static GatewayError error(List<ModelRef> requested, List<ModelRef> missing, Catalog catalog) {
    if (requested.isEmpty()) {
      return GatewayError.of(ErrorCode.INVALID_REQUEST, "No model is named");
    }
    var sentences = new ArrayList<String>();
    for (ModelRef ref : missing.subList(0, Math.min(NAMED, missing.size()))) {
      sentences.add(unknown(ref, catalog));
    }
    if (missing.size() > NAMED) {
      sentences.add("and " + (missing.size() - NAMED) + " more");
    }
    return GatewayError.of(ErrorCode.MODEL_NOT_FOUND, String.join("; ", sentences))
        .withAvailability(Availability.of(ErrorCode.MODEL_NOT_FOUND, requested));
  }

  private static String unknown(ModelRef ref, Catalog catalog) {
    if (ModelNames.isLatest(ref)) {
      return shown(ref.toString()) + " names no model: there is none of that family";
    }
    List<String> similar = SimilarModels.of(ref, catalog);
    String sentence = "No model is called " + shown(ref.toString());
    return similar.isEmpty()
        ? sentence
        : sentence + "; similar names: " + String.join(", ", similar);
  }

  private static String shown(String name) {
    return '"' + NameFormatter.shown(name) + '"';
  }
}
