package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.Candidate;

/**
 * The endpoints of one model that are still in, in the order they would be tried. Lives inside one
 * decision: narrowing and ordering change it in place, so that nothing is copied.
 */
final class Shortlist {
  private final ModelEndpoints model;
  private final int[] places;
  private int size;

  /** What the rules keep, cheapest first. */
  Shortlist(ModelEndpoints model, Rules rules) {
    this.model = model;
    this.places = new int[model.size()];
    for (int place = 0; place < places.length; place++) {
      if (rules.keep(model.endpoint(place))) {
        places[size++] = place;
      }
    }
  }

  String modelId() {
    return model.model().id();
  }

  int size() {
    return size;
  }

  Endpoint endpoint(int index) {
    return model.endpoint(places[index]);
  }

  Candidate candidate(int index) {
    return model.candidate(places[index]);
  }

  double weight(int index) {
    return model.weight(places[index]);
  }

  boolean free(int index) {
    return model.free(places[index]);
  }

  /** Keeps the endpoints that support a parameter, in their order. */
  void keepSupporting(long parameter) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if ((endpoint(i).parameters() & parameter) != 0) {
        places[kept++] = places[i];
      }
    }
    size = kept;
  }

  /** Moves one endpoint forward, past those between, which keep their order. */
  void advance(int from, int to) {
    int place = places[from];
    System.arraycopy(places, to, places, to + 1, from - to);
    places[to] = place;
  }

  void truncate(int most) {
    size = Math.min(size, most);
  }
}
