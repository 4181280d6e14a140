package io.strowger.core.plan;

import io.strowger.spi.routing.ProviderSort;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One of the requested models, its name understood.
 *
 * @param place in the request's list, from 0
 * @param model whose endpoints are candidates; null when a router is to say
 * @param sort what a variant of the name sorts endpoints by; null when it says nothing
 * @param admits service tiers a variant of the name admits; bits of {@link ServiceTierMask}
 */
record RequestedModel(
    int place, @Nullable ModelEndpoints model, ProviderSort.@Nullable Key sort, int admits) {
  static RequestedModel plain(int place, ModelEndpoints model) {
    return new RequestedModel(place, Objects.requireNonNull(model), null, 0);
  }
}
