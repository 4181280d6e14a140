package io.strowger.core.plan;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint with the values decisions need, computed once per catalog.
 *
 * @param endpoint the endpoint itself
 * @param defaultAttempt the attempt that most plans use for the endpoint, shared so that they need
 *     not create one
 * @param weight its weight in the default draw: the inverse square of the price; 0 when free
 */
record IndexedEndpoint(Endpoint endpoint, PlannedAttempt defaultAttempt, double weight) {
  static IndexedEndpoint of(Endpoint endpoint) {
    double price = endpoint.blendedPrice();
    return new IndexedEndpoint(
        endpoint, PlannedAttempt.of(endpoint), price == 0 ? 0 : 1 / (price * price));
  }

  boolean isFree() {
    return endpoint.blendedPrice() == 0;
  }

  PlannedAttempt attempt(int modelIndex, @Nullable String byokKey, boolean probe) {
    return modelIndex == 0 && byokKey == null && !probe
        ? defaultAttempt
        : new PlannedAttempt(endpoint, modelIndex, byokKey, probe);
  }
}
