package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A destination to be created. Contract: "Observability destination"; resources fact sheet, section
 * 5. Its {@link #toString} shows nothing of the config.
 *
 * @param workspaceId null for the default workspace
 * @param config the config with defaults filled in; holds secrets; a copy, so that the request body
 *     can be collected
 * @param values the other members, as {@link DestinationTable} reads them
 */
public record DestinationCreate(
    @Nullable String workspaceId,
    DestinationType type,
    Json.Obj config,
    ResourceType.Values values) {
  public DestinationCreate {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(values, "values");
  }

  public String name() {
    return Objects.requireNonNullElse(values.text("name"), "");
  }

  public DestinationSelection selection() {
    return DestinationSelection.of(values.members());
  }

  public Disclosure disclosure() {
    return Disclosure.of(values.members());
  }

  @Override
  public String toString() {
    return "DestinationCreate[" + name() + ", " + type.name() + "]";
  }
}
