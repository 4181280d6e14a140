package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A destination to be created. Contract: "Observability destination"; resources fact sheet, section
 * 5. Shows nothing of its config in text.
 *
 * @param name not empty
 * @param workspaceId null for the default workspace
 * @param config of the type, complete with usual values; holds secrets; keeps no body reachable
 */
public record DestinationCreate(
    String name,
    @Nullable String workspaceId,
    DestinationType type,
    Json.Obj config,
    DestinationSelection selection,
    Disclosure disclosure) {
  public DestinationCreate {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(selection, "selection");
    Objects.requireNonNull(disclosure, "disclosure");
  }

  @Override
  public String toString() {
    return "DestinationCreate[" + name + ", " + type.name() + "]";
  }
}
