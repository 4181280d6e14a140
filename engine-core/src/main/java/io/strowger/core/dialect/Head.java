package io.strowger.core.dialect;

import io.strowger.core.inference.Delivery;
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
public record Head(
    String id, long createdSeconds, String model, String provider, @Nullable String serviceTier) {
  public static Head of(Reply.Answered reply) {
    Delivery delivery = reply.delivery();
    Endpoint endpoint = delivery.endpoint();
    return endpoint == null
        ? new Head(reply.id(), reply.createdSeconds(), delivery.requested(), "", null)
        : new Head(
            reply.id(),
            reply.createdSeconds(),
            endpoint.model(),
            endpoint.provider().name(),
            endpoint.serviceTier());
  }

  /** The same, naming no provider: for an error that is no provider's. */
  public Head withoutProvider() {
    return new Head(id, createdSeconds, model, "", serviceTier);
  }
}
