package io.strowger.core.destination;

import io.strowger.core.resource.DestinationSelection;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.Disclosure;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a destination is sent, as its document says it. The document's group is the workspace,
 * hidden is deleted; the whole config is in {@code sealed}, encrypted; beside it stands the config
 * as it may be shown, so that reading one needs no key. Contract: "Observability destination".
 *
 * @param id a UUID
 * @param workspaceId a UUID
 */
record Destination(
    String id,
    String name,
    DestinationType type,
    DestinationSelection selection,
    Disclosure disclosure,
    String workspaceId) {
  private static final Logger log = LoggerFactory.getLogger(Destination.class);

  Destination {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(selection, "selection");
    Objects.requireNonNull(disclosure, "disclosure");
    Objects.requireNonNull(workspaceId, "workspaceId");
  }

  /**
   * Reads the document of a destination.
   *
   * @return null when this version cannot read it: a newer one may have written a type or an
   *     operator that is unknown here, and that must not stop a start
   */
  static @Nullable Destination read(Document document) {
    try {
      return parsed(document);
    } catch (RuntimeException unreadable) {
      log.warn(
          "destination {} cannot be read by this version; it receives no calls", document.id());
      return null;
    }
  }

  private static @Nullable Destination parsed(Document document) {
    Json.Obj body = document.body();
    String name = body.text("name");
    DestinationType type = DestinationType.named(Objects.requireNonNullElse(body.text("type"), ""));
    if (name == null || type == null) {
      return null;
    }
    return new Destination(
        document.id(),
        name,
        type,
        DestinationSelection.of(body),
        Disclosure.of(body),
        document.group());
  }

  /** Returns what names it in the log. */
  static String named(String id, @Nullable String name, DestinationType type) {
    return id + " (" + type.name() + (name == null ? "" : ", " + name) + ")";
  }
}
