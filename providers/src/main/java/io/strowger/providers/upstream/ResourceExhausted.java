package io.strowger.providers.upstream;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;

/**
 * The ends of answers for which the gateway itself had too little. They name no provider, say
 * nothing of the health of an endpoint, and no other candidate is tried: all of them share what is
 * short.
 */
final class ResourceExhausted {
  /** All connections there may be are in use. */
  static final Event.Failed CONNECTIONS = of("connections");

  /** Other answers hold the memory there is. */
  static final Event.Failed MEMORY = of("memory");

  private ResourceExhausted() {}

  private static Event.Failed of(String what) {
    GatewayError error =
        GatewayError.of(ErrorCode.UNAVAILABLE)
            .withMetadata("overload", Json.of(what))
            .withRetryAfter(1);
    return new Event.Failed(error, null);
  }
}
