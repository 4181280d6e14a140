package io.strowger.core.config;

import io.strowger.core.resource.DestinationCreate;
import java.util.Objects;

/**
 * An observability destination of the configuration file. Its text form hides the destination's
 * config, which may hold secrets.
 *
 * @param id identifies the destination in logs and in the sampling of sessions; unique in the file
 */
@SuppressWarnings("exports") // for the engine
public record DestinationConfig(String id, DestinationCreate destination) {
  public DestinationConfig {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(destination, "destination");
  }
}
