package io.strowger.core.destination;

import io.strowger.core.resource.DestinationSelection;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.Disclosure;
import io.strowger.core.resource.ResourceType;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A destination as a document: its group is the workspace, hidden is deleted. The whole config is
 * in {@code sealed}, encrypted; beside it stands the config as it may be shown, so that reading one
 * needs no key.
 */
final class DestinationDocument {
  private static final Logger log = LoggerFactory.getLogger(DestinationDocument.class);

  private DestinationDocument() {}

  /** Returns what is left of a destination that was deleted: nothing secret, and no rule. */
  static Json.Obj deleted(Json.Obj body) {
    return Json.object()
        .put("name", Objects.requireNonNullElse(body.text("name"), ""))
        .put("type", Objects.requireNonNullElse(body.text("type"), ""))
        .build();
  }

  /**
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

  /** Returns what is encrypted in it; empty when nothing is. */
  static String sealed(Document document) {
    return Objects.requireNonNullElse(document.body().text(ResourceType.SEALED), "");
  }
}
