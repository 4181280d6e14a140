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
 * Finds the models a request names: by id or alias in any case, with variants, or as {@code
 * ~author/family-latest}. An unknown name fails the request; it is never replaced by another model.
 * Private models exist only for accounts that were approved for them. Routing fact sheet, sections
 * 2 and 10.
 */
final class ModelNames {
  /**
   * The maximum number of unknown names in the error: finding similar names takes a pass over the
   * catalog.
   */
  private static final int NAMED = 10;

  private ModelNames() {}

  /**
   * Resolves the names, in order. A model named twice counts once, at the first name. Returns null
   * when there are no names or one of them is unknown; then {@link #error} returns the reason.
   */
  static RequestedModel @Nullable [] resolve(RoutingQuery query, PlanIndex index) {
    List<ModelRef> refs = query.models();
    RequestedModel[] all = new RequestedModel[refs.size()];
    int size = 0;
    for (int place = 0; place < all.length; place++) {
      RequestedModel requested = resolve(place, query, index);
      if (requested == null) {
        return null;
      }
      if (!isRepeated(requested, all, size)) {
        all[size++] = requested;
      }
    }
    return size == 0 ? null : size == all.length ? all : Arrays.copyOf(all, size);
  }

  /** Returns the error for a query that {@link #resolve} returned null for. */
  static GatewayError error(RoutingQuery query, PlanIndex index) {
    List<ModelRef> refs = query.models();
    var missing = new ArrayList<ModelRef>();
    for (int place = 0; place < refs.size(); place++) {
      if (resolve(place, query, index) == null) {
        missing.add(refs.get(place));
      }
    }
    return unresolved(refs, missing, index.catalog());
  }

  /**
   * Returns the error for a list that is empty or has at least one unknown name.
   *
   * @param requested every name of the request
   * @param missing the names among them that match no model
   */
  private static GatewayError unresolved(
      List<ModelRef> requested, List<ModelRef> missing, Catalog catalog) {
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
    if (isLatest(ref)) {
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

  private static @Nullable RequestedModel resolve(int place, RoutingQuery query, PlanIndex index) {
    ModelRef ref = query.models().get(place);
    if (isRouter(place, query.routers())) {
      Variants variants = Variants.of(ref.variants());
      return new RequestedModel(place, null, variants.sort(), variants.admits());
    }
    ModelInfo model = findVisible(ref.toString(), query, index);
    if (model != null) {
      return index.plain(place, model);
    }
    if (ref.variants().isEmpty() && !isLatest(ref)) {
      return null;
    }
    Variants variants = Variants.of(ref.variants());
    ModelInfo found = resolveVariant(ref, variants, query, index);
    return found == null
        ? null
        : new RequestedModel(place, index.endpoints(found), variants.sort(), variants.admits());
  }

  private static boolean isRouter(int place, List<RouterStep> routers) {
    for (int i = 0; i < routers.size(); i++) {
      if (routers.get(i).model() == place) {
        return true;
      }
    }
    return false;
  }

  /** Resolves a name without its dynamic variants. */
  private static @Nullable ModelInfo resolveVariant(
      ModelRef ref, Variants variants, RoutingQuery query, PlanIndex index) {
    ModelInfo exact = findVisible(variants.on(ref.slug()), query, index);
    if (exact != null) {
      return exact;
    }
    ModelInfo base =
        isLatest(ref) ? latest(ref.slug(), query, index) : findVisible(ref.slug(), query, index);
    return base == null || variants.statics().isEmpty()
        ? base
        : findVisible(variants.on(base.id()), query, index);
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
    return !model.hidden() && (!model.isPrivate() || isApproved(model, query));
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

  private static boolean isRepeated(RequestedModel requested, RequestedModel[] before, int size) {
    for (int i = 0; i < size; i++) {
      if (requested.model() != null && before[i].model() == requested.model()) {
        return true;
      }
    }
    return false;
  }
}
