package io.strowger.core.preset;

import io.strowger.core.resource.Timestamps;
import io.strowger.spi.json.Json;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One state of a preset; never changes. Contract: "PresetVersion".
 *
 * @param id a UUID
 * @param presetId whose it is, a UUID
 * @param number from 1, without gaps
 * @param config the members it brings to a request
 * @param systemPrompt null for none
 * @param creatorId who made it
 */
public record PresetVersion(
    String id,
    String presetId,
    int number,
    Json.Obj config,
    @Nullable String systemPrompt,
    String creatorId,
    Instant createdAt) {
  public PresetVersion {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(presetId, "presetId");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(creatorId, "creatorId");
    Objects.requireNonNull(createdAt, "createdAt");
  }

  /** In the wire's form, which is also the stored one. */
  public Json.Obj toJson() {
    return Json.object()
        .put("id", id)
        .put("preset_id", presetId)
        .put("version", number)
        .put("config", config)
        .putOrNull("system_prompt", systemPrompt)
        .put("creator_id", creatorId)
        .put("created_at", Timestamps.text(createdAt))
        .put("updated_at", Timestamps.text(createdAt))
        .build();
  }

  static PresetVersion of(Json.Obj stored) {
    return new PresetVersion(
        StoredPresetReader.text(stored, "id"),
        StoredPresetReader.text(stored, "preset_id"),
        (int) stored.whole("version", 1),
        StoredPresetReader.object(stored, "config").detached(),
        stored.text("system_prompt"),
        StoredPresetReader.text(stored, "creator_id"),
        StoredPresetReader.moment(stored, "created_at"));
  }
}
