package io.strowger.core.resource;

import io.strowger.spi.provider.Credential;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A customer's own key of a provider to be kept.
 *
 * @param provider slug
 * @param key the provider's own
 * @param workspaceId null: of the default workspace, unless it is for all
 * @param everywhere for all workspaces: {@code workspace_id} was an explicit null
 */
public record ByokKeyCreate(
    String provider,
    Credential key,
    @Nullable String workspaceId,
    boolean everywhere,
    ByokKeyFields fields) {
  public ByokKeyCreate {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(fields, "fields");
  }
}
