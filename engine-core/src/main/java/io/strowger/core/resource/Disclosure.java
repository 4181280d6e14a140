package io.strowger.core.resource;

import io.strowger.spi.json.Json;

/**
 * What a destination receives about a request. Contract: "Observability destination".
 *
 * @param privacyMode true to leave out prompts and answers
 * @param cost whether to include the cost of the generation
 * @param identity whether to include who sent the request
 * @param requestContext whether to include where the request came from
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
