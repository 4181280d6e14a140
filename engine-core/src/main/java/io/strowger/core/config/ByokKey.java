package io.strowger.core.config;

import io.strowger.core.routing.ByokKeyRef;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.KeyId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A customer's own credential for a provider. Immutable.
 *
 * @param id the id of the key, unique in the file
 * @param provider the slug of the provider that the key is for
 * @param credential sent instead of the gateway's own credential for the provider
 * @param use for which requests it is used, and in which order
 */
public record ByokKey(String id, String provider, Credential credential, Use use) {
  public ByokKey {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(use, "use");
  }

  /** Returns the key as routing sees it, without its secret. */
  @SuppressWarnings("exports") // for the engine
  public ByokKeyRef toRef() {
    return new ByokKeyRef(
        id, provider, use.isFallback(), use.sortOrder(), use.alwaysUse(), use.models());
  }

  /**
   * The conditions under which a key is used.
   *
   * @param isFallback whether it is tried after the gateway's own credential, not before it
   * @param sortOrder the order among keys of the provider, lowest first
   * @param alwaysUse whether the gateway's own credential is never used
   * @param models ids of the models it is used for; null for all
   * @param audience the callers it is used for
   */
  public record Use(
      boolean isFallback,
      int sortOrder,
      boolean alwaysUse,
      @Nullable List<String> models,
      KeyAudience audience) {
    public Use {
      models = models == null ? null : List.copyOf(models);
      Objects.requireNonNull(audience, "audience");
    }
  }

  /**
   * The callers for whom a key is used.
   *
   * @param keys the keys of the callers that may use it; null for all
   * @param users ids of the users whose keys may use it; null for all
   * @param workspace the workspace whose callers may use it; null for all
   */
  public record KeyAudience(
      @Nullable List<KeyId> keys, @Nullable List<String> users, @Nullable String workspace) {
    public static final KeyAudience ALL = new KeyAudience(null, null, null);

    public KeyAudience {
      keys = keys == null ? null : List.copyOf(keys);
      users = users == null ? null : List.copyOf(users);
    }

    /** Returns whether every caller may use the key, even an anonymous one. */
    public boolean admitsAll() {
      return keys == null && users == null && workspace == null;
    }

    public boolean admits(KeyId key, String user, String workspaceId) {
      return admits(List.of(key), user, workspaceId);
    }

    /**
     * Returns whether a caller may use the key.
     *
     * @param hashes every hash that identifies the caller's key
     */
    public boolean admits(List<KeyId> hashes, String user, String workspaceId) {
      return (keys == null || hashes.stream().anyMatch(keys::contains))
          && (users == null || users.contains(user))
          && (workspace == null || workspace.equals(workspaceId));
    }
  }
}
