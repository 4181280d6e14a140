package io.strowger.core.destination;

import io.strowger.core.resource.DestinationSelection;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.Disclosure;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a destination, read from its document. The document's group is the workspace, and
 * a hidden document is a deleted destination. The body holds the whole config encrypted in {@code
 * sealed}, and a masked copy that may be shown, so that reading a destination needs no decryption.
 * Contract: "Observability destination".
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
  /** Control characters and the separators of lines that are none. */
  private static final Pattern CONTROLS =
      Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}\\x{2028}\\x{2029}]+");

  Destination {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(selection, "selection");
    Objects.requireNonNull(disclosure, "disclosure");
    Objects.requireNonNull(workspaceId, "workspaceId");
  }

  /** Reads the document of a destination, or returns null when this version cannot read it. */
  static @Nullable Destination readOrNull(Document document) {
    try {
      return read(document);
    } catch (RuntimeException e) {
      return null; // the broadcaster logs it once
    }
  }

  /**
   * Reads the document of a destination.
   *
   * @throws RuntimeException when this version cannot read it, because a newer version wrote a type
   *     or operator that is unknown here; callers catch it, so that the gateway starts all the same
   */
  static Destination read(Document document) {
    Json.Obj body = document.body();
    String name = body.text("name");
    DestinationType type = DestinationType.find(Objects.requireNonNullElse(body.text("type"), ""));
    if (type == null) {
      throw new IllegalArgumentException("its type is unknown");
    }
    if (name == null) {
      throw new IllegalArgumentException("it has no name");
    }
    return new Destination(
        document.id(),
        name,
        type,
        DestinationSelection.of(body),
        Disclosure.of(body),
        document.group());
  }

  /** Returns the name of a destination for the log, on one line whatever its name is. */
  static String logName(String id, @Nullable String name, DestinationType type) {
    String text = id + " (" + type.name() + (name == null ? "" : ", " + name) + ")";
    return CONTROLS.matcher(text).replaceAll(" ");
  }
}
