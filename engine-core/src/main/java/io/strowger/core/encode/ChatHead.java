package io.strowger.core.encode;

import io.strowger.core.flow.Delivery;
import io.strowger.core.flow.Reply;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the gateway says about an answer whatever the upstream said: the same in every chunk of a
 * stream.
 *
 * @param id generation id
 * @param createdSeconds Unix time
 * @param model the model that answers, not an alias of it
 * @param provider display name
 * @param serviceTier of the endpoint, for upstreams that do not say; null for the plain tier
 */
record ChatHead(
    String id, long createdSeconds, String model, String provider, @Nullable String serviceTier) {
  /** Members of an upstream's document that are the gateway's to say. */
  static final Set<String> OWNED =
      Set.of("id", "object", "created", "model", "provider", "usage", "router_metadata");

  static ChatHead of(Reply.Answered reply) {
    Delivery delivery = reply.delivery();
    Endpoint endpoint = delivery.endpoint();
    return endpoint == null
        ? new ChatHead(reply.id(), reply.createdSeconds(), delivery.requested(), "", null)
        : new ChatHead(
            reply.id(),
            reply.createdSeconds(),
            endpoint.model(),
            endpoint.provider().name(),
            endpoint.serviceTier());
  }

  /** A document that begins with the members the gateway owns. */
  Json.Obj.Builder document(String object) {
    return Json.object()
        .put("id", id)
        .put("object", object)
        .put("created", createdSeconds)
        .put("model", model)
        .put("provider", provider);
  }
}
