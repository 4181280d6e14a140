package io.strowger.providers.upstream;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;

/**
 * The failures of answers for which the gateway itself lacked resources. They name no provider, do
 * not affect the health of an endpoint, and no other candidate is tried, since all share the
 * resource.
 */
final class ResourceExhausted {
  /** All allowed connections are in use. */
  static final Event.Failed CONNECTIONS = of("connections");

  /** Other answers hold the available memory. */
  static final Event.Failed MEMORY = of("memory");

  private ResourceExhausted() {}

  private static Event.Failed of(String resource) {
    GatewayError error =
        GatewayError.of(ErrorCode.UNAVAILABLE)
            .withMetadata("overload", Json.of(resource))
            .withRetryAfter(1);
    return new Event.Failed(error, null);
  }
}
