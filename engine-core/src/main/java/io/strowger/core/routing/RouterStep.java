package io.strowger.core.routing;

import io.strowger.spi.json.Json;

/**
 * A router that takes part in a decision, with everything it decides from. Steps run in the order
 * of the query.
 *
 * @param plugin the id of the plugin
 * @param version the plugin's version, so that a replay with another one is recognized
 * @param modelIndex the index of the requested model that names the router, from 0; {@link
 *     #EVERY_REQUEST} when it acts on the result of all of them
 * @param config its plugin entry, merged with the account's defaults
 * @param facts the facts it read from the request
 */
public record RouterStep(
    String plugin, String version, int modelIndex, Json.Obj config, Json facts) {
  /** Value of {@link #modelIndex()} for a router that acts on every request, whatever it names. */
  public static final int EVERY_REQUEST = -1;
}
