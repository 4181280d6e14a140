package io.strowger.core.dialect;

import io.strowger.core.inference.DeliveryState;
import io.strowger.core.inference.Reply;
import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * The members of an answer that the gateway sets, not the upstream; constant through a stream.
 *
 * @param id the generation id
 * @param createdSeconds the Unix time of its creation, in seconds
 * @param model the model that answers, never an alias
 * @param provider the provider's display name; empty when none answers
 * @param serviceTier the endpoint's service tier, for upstreams whose answers name none; null for
 *     the default tier
 */
public record AnswerHeader(
    String id, long createdSeconds, String model, String provider, @Nullable String serviceTier) {
  public static AnswerHeader of(Reply.Answered reply) {
    DeliveryState deliveryState = reply.delivery();
    Endpoint endpoint = deliveryState.endpoint();
    return endpoint == null
        ? new AnswerHeader(
            reply.id(), reply.createdSeconds(), deliveryState.requestedModel(), "", null)
        : new AnswerHeader(
            reply.id(),
            reply.createdSeconds(),
            endpoint.model(),
            endpoint.provider().name(),
            endpoint.serviceTier());
  }

  /** Returns a copy without a provider, for an error that no provider caused. */
  public AnswerHeader withoutProvider() {
    return new AnswerHeader(id, createdSeconds, model, "", serviceTier);
  }
}
