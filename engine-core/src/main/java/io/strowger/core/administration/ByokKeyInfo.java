package io.strowger.core.administration;

import io.strowger.core.resource.ByokKeyFields;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A customer's own key of a provider as it may be shown: without the key. Routing fact sheet,
 * section 8.
 *
 * @param id a UUID
 * @param provider slug
 * @param label the provider's key masked
 * @param workspaceId null: of all workspaces
 * @param updatedAt null until the first update
 */
public record ByokKeyInfo(
    String id,
    String provider,
    String label,
    @Nullable String workspaceId,
    ByokKeyFields fields,
    Instant createdAt,
    @Nullable Instant updatedAt) {
  public ByokKeyInfo {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(fields, "fields");
    Objects.requireNonNull(createdAt, "createdAt");
  }
}
