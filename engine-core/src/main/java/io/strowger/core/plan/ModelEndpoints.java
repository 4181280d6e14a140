package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;

/** A model with its endpoints, cheapest first, as decisions need it; computed once per catalog. */
final class ModelEndpoints {
  private final ModelInfo model;
  private final IndexedEndpoint[] indexedEndpoints;

  ModelEndpoints(ModelInfo model) {
    this.model = model;
    this.indexedEndpoints =
        model.endpoints().stream().map(IndexedEndpoint::of).toArray(IndexedEndpoint[]::new);
  }

  ModelInfo model() {
    return model;
  }

  int size() {
    return indexedEndpoints.length;
  }

  IndexedEndpoint indexedEndpoint(int index) {
    return indexedEndpoints[index];
  }

  Endpoint endpoint(int index) {
    return indexedEndpoints[index].endpoint();
  }
}
