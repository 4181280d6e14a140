package io.strowger.core.preset;

import io.strowger.core.decode.RequiredMember;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.json.Json;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A version of a preset. Immutable. Contract: "PresetVersion".
 *
 * @param id a UUID
 * @param presetId the id of its preset, a UUID
 * @param number from 1, without gaps
 * @param config the members it adds to a request
 * @param systemPrompt null for none
 * @param creatorId the id of the user who created it
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

  /** Returns the wire form, which is also stored. */
  public Json.Obj toJson() {
    return Json.object()
        .put("id", id)
        .put("preset_id", presetId)
        .put("version", number)
        .put("config", config)
        .putOrNull("system_prompt", systemPrompt)
        .put("creator_id", creatorId)
        .put("created_at", Timestamps.format(createdAt))
        .put("updated_at", Timestamps.format(createdAt))
        .build();
  }

  static PresetVersion of(Json.Obj stored) {
    return new PresetVersion(
        RequiredMember.text(stored, "id"),
        RequiredMember.text(stored, "preset_id"),
        (int) stored.longValue("version", 1),
        RequiredMember.object(stored, "config").detached(),
        stored.text("system_prompt"),
        RequiredMember.text(stored, "creator_id"),
        Instant.parse(RequiredMember.text(stored, "created_at")));
  }
}
