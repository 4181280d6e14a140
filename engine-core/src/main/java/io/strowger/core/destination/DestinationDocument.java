package io.strowger.core.destination;

import io.strowger.core.resource.DestinationSelection;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.Disclosure;
import io.strowger.core.resource.FilterRules;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
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
  static final String SEALED = "sealed";
  static final String CONFIG = "config";

  /** Which of the places for destinations of its type it has taken. */
  static final String SLOT = "slot";

  private static final Logger log = LoggerFactory.getLogger(DestinationDocument.class);

  private DestinationDocument() {}

  static Json.Obj body(String name, DestinationType type, int slot) {
    return Json.object().put("name", name).put("type", type.name()).put(SLOT, slot).build();
  }

  static Json.Obj withConfig(Json.Obj body, Json.Obj shown, String sealed) {
    return body.with(CONFIG, shown).with(SEALED, Json.of(sealed));
  }

  static Json.Obj withRules(
      Json.Obj body, DestinationSelection destinationSelection, Disclosure disclosure) {
    Json.Obj changed = body;
    Json.Obj rules = Destination.rules(destinationSelection, disclosure);
    for (int i = 0; i < rules.size(); i++) {
      changed = changed.with(rules.name(i), rules.value(i));
    }
    return changed;
  }

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
        Objects.requireNonNullElse(body.object(CONFIG), Json.Obj.EMPTY),
        selection(body),
        disclosure(body),
        document.group(),
        document.createdAt(),
        document.updatedAt());
  }

  private static DestinationSelection selection(Json.Obj body) {
    Json.Obj filter = body.object("filter_rules");
    return new DestinationSelection(
        isSet(body, "enabled"),
        body.get("sampling_rate") instanceof Json.Num rate ? rate.decimal() : BigDecimal.ONE,
        filter == null ? null : FilterRules.read(filter),
        keys(body, "api_key_hashes"));
  }

  private static Disclosure disclosure(Json.Obj body) {
    return new Disclosure(
        isSet(body, "privacy_mode"),
        isSet(body, "broadcast_generation_cost"),
        isSet(body, "broadcast_generation_identity"),
        isSet(body, "broadcast_generation_request_context"));
  }

  private static boolean isSet(Json.Obj body, String name) {
    return Json.TRUE.equals(body.get(name));
  }

  private static @Nullable List<KeyId> keys(Json.Obj body, String name) {
    return body.list(name) == null
        ? null
        : body.texts(name).stream()
            .map(hash -> KeyId.of(HexFormat.of().parseHex(hash)))
            .toList();
  }

  /** Returns what is encrypted in it; empty when nothing is. */
  static String sealed(Document document) {
    return Objects.requireNonNullElse(document.body().text(SEALED), "");
  }
}
