package io.strowger.core.routing;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * A router that takes part in a decision, with everything it decides from. Steps run in the order
 * of the query.
 *
 * @param plugin id of the plugin
 * @param version of the plugin, so that a replay by another one can be told
 * @param model which of the requested models it stands for, from 0; {@link #EVERY} when it acts on
 *     what all of them came to
 * @param config its entry, defaults of the account merged in
 * @param facts what it read from the request
 */
public record RouterStep(String plugin, String version, int model, Json.Obj config, Json facts) {
  /** For {@link #model()}: acts on every request, whatever models it names. */
  public static final int EVERY = -1;

  public RouterStep {
    Objects.requireNonNull(plugin, "plugin");
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(facts, "facts");
  }
}
