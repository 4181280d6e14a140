package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.routing.Candidate;

/**
 * What a decision needs of one model, computed once per catalog: its endpoints cheapest first, the
 * attempt each would be, and the weight each has in the default draw.
 */
final class ModelEndpoints {
  private final ModelInfo model;
  private final Endpoint[] endpoints;
  private final Candidate[] candidates;
  private final double[] weights;

  ModelEndpoints(ModelInfo model) {
    this.model = model;
    this.endpoints = model.endpoints().toArray(new Endpoint[0]);
    this.candidates = new Candidate[endpoints.length];
    this.weights = new double[endpoints.length];
    for (int i = 0; i < endpoints.length; i++) {
      candidates[i] = Candidate.of(endpoints[i]);
      double price = endpoints[i].blendedPrice();
      weights[i] = price == 0 ? 0 : 1 / (price * price);
    }
  }

  ModelInfo model() {
    return model;
  }

  int size() {
    return endpoints.length;
  }

  Endpoint endpoint(int place) {
    return endpoints[place];
  }

  Candidate candidate(int place) {
    return candidates[place];
  }

  /** The inverse square of the price; 0 for an endpoint that costs nothing. */
  double weight(int place) {
    return weights[place];
  }

  boolean free(int place) {
    return endpoints[place].blendedPrice() == 0;
  }
}
