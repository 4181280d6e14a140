package io.strowger.core.plan;

import io.strowger.spi.routing.ProviderSort;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One of the requested models, with its name resolved.
 *
 * @param index its place in the request's list, from 0
 * @param model the model whose endpoints are candidates; null when a router chooses
 * @param sort the sort a variant of the name asks for; null for none
 * @param admittedTiers the service tiers a variant of the name admits; bits of {@link
 *     ServiceTierMask}
 */
record RequestedModel(
    int index, @Nullable ModelEndpoints model, ProviderSort.@Nullable Key sort, int admittedTiers) {
  static RequestedModel withoutVariant(int index, ModelEndpoints model) {
    return new RequestedModel(index, Objects.requireNonNull(model), null, 0);
  }
}
