package io.strowger.core.config;

import io.strowger.core.resource.DestinationCreate;
import java.util.Objects;

/**
 * An observability destination of the configuration file. {@link #toString} shows no secrets,
 * because {@link DestinationCreate} hides the destination's config.
 *
 * @param id identifies the destination in logs and in the sampling of sessions; unique in the file
 */
@SuppressWarnings("exports") // the type of destination() is internal: only the engine calls it
public record DestinationConfig(String id, DestinationCreate destination) {
  public DestinationConfig {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(destination, "destination");
  }
}
