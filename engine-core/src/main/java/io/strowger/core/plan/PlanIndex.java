package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.routing.ModelRef;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A catalog as decisions read it; built once per catalog, so that no decision copies from it. */
final class PlanIndex {
  private final Catalog catalog;
  private final ModelEndpoints[] models; // by ModelInfo.ordinal()

  PlanIndex(Catalog catalog) {
    this.catalog = catalog;
    this.models = new ModelEndpoints[catalog.models().size()];
    for (ModelInfo model : catalog.models()) {
      models[model.ordinal()] = new ModelEndpoints(model);
    }
  }

  Catalog catalog() {
    return catalog;
  }

  /**
   * The models of these names, each once, in this order; null when there are no names or one names
   * no model. Static variants such as {@code :free} are models of their own, so a name is looked up
   * as it was written.
   */
  ModelEndpoints @Nullable [] models(List<ModelRef> refs) {
    ModelEndpoints[] found = new ModelEndpoints[refs.size()];
    int size = 0;
    for (int i = 0; i < refs.size(); i++) {
      ModelInfo model = catalog.model(refs.get(i).toString());
      if (model == null) {
        return null;
      }
      ModelEndpoints endpoints = models[model.ordinal()];
      if (!contains(found, size, endpoints)) {
        found[size++] = endpoints;
      }
    }
    return size == 0 ? null : size == found.length ? found : Arrays.copyOf(found, size);
  }

  private static boolean contains(ModelEndpoints[] found, int size, ModelEndpoints wanted) {
    for (int i = 0; i < size; i++) {
      if (found[i] == wanted) {
        return true;
      }
    }
    return false;
  }
}
