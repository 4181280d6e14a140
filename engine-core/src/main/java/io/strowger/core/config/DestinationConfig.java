package io.strowger.core.config;

import io.strowger.core.resource.DestinationCreate;
import java.util.Objects;

/**
 * An observability destination of the configuration file. Shows nothing of its config in text.
 *
 * @param id by which sessions are sampled and the log names it; unique in the file
 */
@SuppressWarnings("exports") // for the engine
public record DestinationConfig(String id, DestinationCreate destination) {
  public DestinationConfig {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(destination, "destination");
  }
}
