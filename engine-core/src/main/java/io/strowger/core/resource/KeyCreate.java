package io.strowger.core.resource;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key to be created. Contract: "POST /keys".
 *
 * @param name not empty
 * @param creatorUserId the member it is created for; null for the caller
 * @param expiresAt null for never
 * @param external null when no partner is involved
 * @param workspaceId null for the default workspace
 * @param management acts on the account and cannot ask for inference; false: the other way round
 */
public record KeyCreate(
    String name,
    @Nullable String creatorUserId,
    @Nullable Instant expiresAt,
    @Nullable ExternalUser external,
    KeyLimit limit,
    @Nullable String workspaceId,
    boolean management) {
  public KeyCreate {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(limit, "limit");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty");
    }
  }

  /** A key for inference. */
  public KeyCreate(
      String name,
      @Nullable String creatorUserId,
      @Nullable Instant expiresAt,
      @Nullable ExternalUser external,
      KeyLimit limit,
      @Nullable String workspaceId) {
    this(name, creatorUserId, expiresAt, external, limit, workspaceId, false);
  }
}
