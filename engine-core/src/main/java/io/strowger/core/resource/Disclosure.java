package io.strowger.core.resource;

import io.strowger.spi.json.Json;

/**
 * What a destination is told of a request. Contract: "Observability destination".
 *
 * @param privacyMode nothing of what was asked and answered
 * @param cost what a generation cost
 * @param identity who asked
 * @param requestContext where it was asked from
 */
public record Disclosure(
    boolean privacyMode, boolean cost, boolean identity, boolean requestContext) {
  /** Reads the members of a destination, as {@link DestinationTable} keeps them. */
  public static Disclosure of(Json.Obj members) {
    return new Disclosure(
        Json.TRUE.equals(members.get("privacy_mode")),
        Json.TRUE.equals(members.get("broadcast_generation_cost")),
        Json.TRUE.equals(members.get("broadcast_generation_identity")),
        Json.TRUE.equals(members.get("broadcast_generation_request_context")));
  }
}
