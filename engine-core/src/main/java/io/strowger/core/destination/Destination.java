package io.strowger.core.destination;

import io.strowger.core.resource.DestinationSelection;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.Disclosure;
import io.strowger.core.resource.FilterRules;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An observability destination as it may be shown: secrets of its config are masked. Contract:
 * "Observability destination".
 *
 * @param id a UUID
 * @param shownConfig the config with masks in the place of its secrets
 * @param workspaceId a UUID
 */
public record Destination(
    String id,
    String name,
    DestinationType type,
    Json.Obj shownConfig,
    DestinationSelection selection,
    Disclosure disclosure,
    String workspaceId,
    Instant createdAt,
    Instant updatedAt) {
  public Destination {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(shownConfig, "shownConfig");
    Objects.requireNonNull(selection, "selection");
    Objects.requireNonNull(disclosure, "disclosure");
    Objects.requireNonNull(workspaceId, "workspaceId");
    Objects.requireNonNull(createdAt, "createdAt");
    Objects.requireNonNull(updatedAt, "updatedAt");
  }

  /** Returns it in the form of the contract. */
  public Json.Obj json() {
    return Json.object()
        .put("id", id)
        .put("name", name)
        .put("type", type.name())
        .put("config", shownConfig)
        .putAll(rules(selection, disclosure))
        .put("workspace_id", workspaceId)
        .put("created_at", Timestamps.text(createdAt))
        .put("updated_at", Timestamps.text(updatedAt))
        .build();
  }

  /** Returns the members that say which calls a destination is sent, and what of them. */
  static Json.Obj rules(DestinationSelection destinationSelection, Disclosure disclosure) {
    FilterRules filter = destinationSelection.filterRules();
    List<KeyId> keys = destinationSelection.keys();
    return Json.object()
        .put("enabled", destinationSelection.enabled())
        .put("privacy_mode", disclosure.privacyMode())
        .put("sampling_rate", Json.of(destinationSelection.samplingRate()))
        .put("filter_rules", filter == null ? Json.NULL : filter.json())
        .put(
            "api_key_hashes",
            keys == null
                ? Json.NULL
                : Json.array(keys.stream().map(key -> Json.of(key.hex())).toList()))
        .put("broadcast_generation_cost", disclosure.cost())
        .put("broadcast_generation_identity", disclosure.identity())
        .put("broadcast_generation_request_context", disclosure.requestContext())
        .build();
  }

  /** Shows nothing of its config: an address may hold a key. */
  @Override
  public String toString() {
    return "Destination[" + id + ", " + name + ", " + type.name() + "]";
  }

  /** Returns what names it in the log. */
  static String named(String id, @Nullable String name, DestinationType type) {
    return id + " (" + type.name() + (name == null ? "" : ", " + name) + ")";
  }
}
