package io.strowger.core.dialect;

import io.strowger.core.inference.DeliveryState;
import io.strowger.core.inference.Reply;
import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * What the gateway says about an answer whatever the upstream said: the same all through a stream.
 *
 * @param id generation id
 * @param createdSeconds Unix time
 * @param model the model that answers, not an alias of it
 * @param provider display name; empty when nobody answers
 * @param serviceTier of the endpoint, for upstreams that do not say; null for the plain tier
 */
public record AnswerHeader(
    String id, long createdSeconds, String model, String provider, @Nullable String serviceTier) {
  public static AnswerHeader of(Reply.Answered reply) {
    DeliveryState deliveryState = reply.delivery();
    Endpoint endpoint = deliveryState.endpoint();
    return endpoint == null
        ? new AnswerHeader(reply.id(), reply.createdSeconds(), deliveryState.requested(), "", null)
        : new AnswerHeader(
            reply.id(),
            reply.createdSeconds(),
            endpoint.model(),
            endpoint.provider().name(),
            endpoint.serviceTier());
  }

  /** The same, naming no provider: for an error that is no provider's. */
  public AnswerHeader withoutProvider() {
    return new AnswerHeader(id, createdSeconds, model, "", serviceTier);
  }
}
