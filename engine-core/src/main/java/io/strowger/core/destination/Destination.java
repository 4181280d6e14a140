package io.strowger.core.destination;

import io.strowger.core.resource.DestinationSelection;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.Disclosure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a destination is sent, as its document says it. Contract: "Observability destination".
 *
 * @param id a UUID
 * @param workspaceId a UUID
 */
public record Destination(
    String id,
    String name,
    DestinationType type,
    DestinationSelection selection,
    Disclosure disclosure,
    String workspaceId) {
  public Destination {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(selection, "selection");
    Objects.requireNonNull(disclosure, "disclosure");
    Objects.requireNonNull(workspaceId, "workspaceId");
  }

  /** Returns what names it in the log. */
  static String named(String id, @Nullable String name, DestinationType type) {
    return id + " (" + type.name() + (name == null ? "" : ", " + name) + ")";
  }
}
