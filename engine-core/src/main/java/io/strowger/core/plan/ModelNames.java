package io.strowger.core.plan;

import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the models that a request names: by id or alias, ignoring case, with variants, or as {@code
 * ~author/family-latest}. An unknown name fails the request; it is never replaced by another model.
 * Private models exist only for accounts that were approved for them. Routing fact sheet, sections
 * 2 and 10.
 */
final class ModelNames {
  /**
   * The maximum number of unknown names in the error: finding similar names takes a pass over the
   * catalog.
   */
  private static final int MAX_NAMED = 10;

  private ModelNames() {}

  /**
   * Resolves the names, in order. A model named twice counts once, at the first name. Returns null
   * when there are no names or one of them is unknown; then {@link #error} returns the reason.
   */
  static RequestedModel @Nullable [] resolve(RoutingQuery query, PlanIndex index) {
    List<ModelRef> refs = query.models();
    RequestedModel[] resolved = new RequestedModel[refs.size()];
    int size = 0;
    for (int position = 0; position < resolved.length; position++) {
      RequestedModel model = resolve(position, query, index);
      if (model == null) {
        return null;
      }
      if (!isRepeated(model, resolved, size)) {
        resolved[size++] = model;
      }
    }
    return size == 0 ? null : size == resolved.length ? resolved : Arrays.copyOf(resolved, size);
  }

  /** Returns the error for a query that {@link #resolve} returned null for. */
  static GatewayError error(RoutingQuery query, PlanIndex index) {
    List<ModelRef> refs = query.models();
    var unknownNames = new ArrayList<ModelRef>();
    for (int position = 0; position < refs.size(); position++) {
      if (resolve(position, query, index) == null) {
        unknownNames.add(refs.get(position));
      }
    }
    return unresolvedError(refs, unknownNames, index.catalog());
  }

  /**
   * Returns the error for a list that is empty or has at least one unknown name.
   *
   * @param refs every name of the request
   * @param unknownNames the names among them that match no model
   */
  private static GatewayError unresolvedError(
      List<ModelRef> refs, List<ModelRef> unknownNames, Catalog catalog) {
    if (refs.isEmpty()) {
      return GatewayError.of(ErrorCode.INVALID_REQUEST, "No model is named");
    }
    var sentences = new ArrayList<String>();
    for (ModelRef ref : unknownNames.subList(0, Math.min(MAX_NAMED, unknownNames.size()))) {
      sentences.add(unknownMessage(ref, catalog));
    }
    if (unknownNames.size() > MAX_NAMED) {
      sentences.add("and " + (unknownNames.size() - MAX_NAMED) + " more");
    }
    return GatewayError.of(ErrorCode.MODEL_NOT_FOUND, String.join("; ", sentences))
        .withAvailability(Availability.of(ErrorCode.MODEL_NOT_FOUND, refs));
  }

  private static String unknownMessage(ModelRef ref, Catalog catalog) {
    if (isLatest(ref)) {
      return quoted(ref.toString()) + " names no model: there is none of that family";
    }
    List<String> similar = SimilarModels.of(ref, catalog);
    String sentence = "No model is called " + quoted(ref.toString());
    return similar.isEmpty()
        ? sentence
        : sentence + "; similar names: " + String.join(", ", similar);
  }

  private static String quoted(String name) {
    return '"' + NameFormatter.format(name) + '"';
  }

  private static @Nullable RequestedModel resolve(
      int position, RoutingQuery query, PlanIndex index) {
    ModelRef ref = query.models().get(position);
    if (isRouter(position, query.routers())) {
      Variants variants = Variants.of(ref.variants());
      return new RequestedModel(position, null, variants.sort(), variants.admittedTiers());
    }
    ModelInfo model = findVisible(ref.toString(), query, index);
    if (model != null) {
      return index.requestedWithoutVariant(position, model);
    }
    if (ref.variants().isEmpty() && !isLatest(ref)) {
      return null;
    }
    Variants variants = Variants.of(ref.variants());
    ModelInfo variantModel = resolveVariant(ref, variants, query, index);
    return variantModel == null
        ? null
        : new RequestedModel(
            position, index.endpoints(variantModel), variants.sort(), variants.admittedTiers());
  }

  private static boolean isRouter(int position, List<RouterStep> routers) {
    for (int i = 0; i < routers.size(); i++) {
      if (routers.get(i).modelIndex() == position) {
        return true;
      }
    }
    return false;
  }

  /** Resolves a name without its dynamic variants. */
  private static @Nullable ModelInfo resolveVariant(
      ModelRef ref, Variants variants, RoutingQuery query, PlanIndex index) {
    ModelInfo exact = findVisible(variants.appendTo(ref.slug()), query, index);
    if (exact != null) {
      return exact;
    }
    ModelInfo base =
        isLatest(ref) ? latest(ref.slug(), query, index) : findVisible(ref.slug(), query, index);
    return base == null || variants.staticSuffixes().isEmpty()
        ? base
        : findVisible(variants.appendTo(base.id()), query, index);
  }

  static boolean isLatest(ModelRef ref) {
    return ref.slug().startsWith("~");
  }

  /** Returns the family's newest model the caller may see. */
  private static @Nullable ModelInfo latest(String slug, RoutingQuery query, PlanIndex index) {
    for (ModelInfo model : index.family(slug)) {
      if (!model.isPrivate() || isApproved(model, query)) {
        return model;
      }
    }
    return null;
  }

  private static @Nullable ModelInfo findVisible(String name, RoutingQuery query, PlanIndex index) {
    ModelInfo model = index.catalog().model(name);
    return model == null || model.isPrivate() && !isApproved(model, query) ? null : model;
  }

  /** Returns whether a router may choose the model. */
  static boolean isRoutable(ModelInfo model, RoutingQuery query) {
    return !model.isHidden() && (!model.isPrivate() || isApproved(model, query));
  }

  static boolean isApproved(ModelInfo privateModel, RoutingQuery query) {
    List<String> approved = query.account().privateModels();
    for (int i = 0; i < approved.size(); i++) {
      if (approved.get(i).equalsIgnoreCase(privateModel.id())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRepeated(RequestedModel model, RequestedModel[] previous, int size) {
    for (int i = 0; i < size; i++) {
      if (model.model() != null && previous[i].model() == model.model()) {
        return true;
      }
    }
    return false;
  }
}
