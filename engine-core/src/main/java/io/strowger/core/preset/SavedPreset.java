package io.strowger.core.preset;

import io.strowger.core.decode.RequiredMember;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.json.Json;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A preset as it is stored and shown. Contract: "Preset".
 *
 * @param id a UUID
 * @param key its workspace and slug, which no other preset has
 * @param status active when it is new
 * @param statusUpdatedAt null when the status never changed
 * @param createdAt when its first version was created
 * @param updatedAt when it last changed; {@link PresetDirectory} makes it strictly later with every
 *     change, even if the clocks of nodes differ
 * @param creatorUserId the id of the user who created the first version
 * @param designatedVersion the version inference uses: the latest
 */
public record SavedPreset(
    String id,
    PresetKey key,
    PresetStatus status,
    @Nullable Instant statusUpdatedAt,
    Instant createdAt,
    Instant updatedAt,
    String creatorUserId,
    PresetVersion designatedVersion) {
  /** The identity of a preset: a slug that is unique in its workspace. */
  public record PresetKey(String workspace, String slug) {
    public PresetKey {
      Objects.requireNonNull(workspace, "workspace");
      Objects.requireNonNull(slug, "slug");
    }

    /** Returns the id of the preset's document in the store. */
    String documentId() {
      return workspace + '/' + slug;
    }
  }

  public SavedPreset {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(createdAt, "createdAt");
    Objects.requireNonNull(updatedAt, "updatedAt");
    Objects.requireNonNull(creatorUserId, "creatorUserId");
    Objects.requireNonNull(designatedVersion, "designatedVersion");
  }

  SavedPreset withVersion(PresetVersion version) {
    return new SavedPreset(
        id, key, status, statusUpdatedAt, createdAt, version.createdAt(), creatorUserId, version);
  }

  SavedPreset withStatus(PresetStatus newStatus, Instant at) {
    return new SavedPreset(id, key, newStatus, at, createdAt, at, creatorUserId, designatedVersion);
  }

  /** Returns the preset as inference uses it; null when it is not active. */
  @Nullable Preset toActivePreset() {
    return status == PresetStatus.ACTIVE
        ? new Preset(key.slug(), designatedVersion.config(), designatedVersion.systemPrompt(), id)
        : null;
  }

  /** Returns the wire form, which is also stored. The name is always the slug. */
  public Json.Obj toJson() {
    return Json.object()
        .put("id", id)
        .put("slug", key.slug())
        .put("name", key.slug())
        .put("description", Json.NULL)
        .put("status", status.wireName())
        .putOrNull(
            "status_updated_at",
            statusUpdatedAt == null ? null : Timestamps.format(statusUpdatedAt))
        .put("created_at", Timestamps.format(createdAt))
        .put("updated_at", Timestamps.format(updatedAt))
        .put("creator_user_id", creatorUserId)
        .put("workspace_id", key.workspace())
        .put("designated_version_id", designatedVersion.id())
        .put("designated_version", designatedVersion.toJson())
        .build();
  }

  static SavedPreset of(Json.Obj stored) {
    return new SavedPreset(
        RequiredMember.text(stored, "id"),
        new PresetKey(
            RequiredMember.text(stored, "workspace_id"), RequiredMember.text(stored, "slug")),
        PresetStatus.of(RequiredMember.text(stored, "status")),
        stored.text("status_updated_at") == null
            ? null
            : Instant.parse(RequiredMember.text(stored, "status_updated_at")),
        Instant.parse(RequiredMember.text(stored, "created_at")),
        Instant.parse(RequiredMember.text(stored, "updated_at")),
        RequiredMember.text(stored, "creator_user_id"),
        PresetVersion.of(RequiredMember.object(stored, "designated_version")));
  }
}
