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
 * @param id unique in the file
 * @param provider slug of the provider it is for
 * @param credential sent in place of the provider's own
 * @param use when it is used
 */
public record ByokKey(String id, String provider, Credential credential, Use use) {
  public ByokKey {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(credential, "credential");
    Objects.requireNonNull(use, "use");
  }

  /** The key as routing knows it, without its secret. */
  @SuppressWarnings("exports") // for the engine
  public ByokKeyRef forRouting() {
    return new ByokKeyRef(
        id, provider, use.isFallback(), use.sortOrder(), use.alwaysUse(), use.models());
  }

  /**
   * The conditions under which a key is used.
   *
   * @param isFallback after the provider's own credential instead of before it
   * @param sortOrder place among keys, lowest first
   * @param alwaysUse the provider's own credential is not used at all
   * @param models only for these; null: for all
   * @param bearers for whom
   */
  public record Use(
      boolean isFallback,
      int sortOrder,
      boolean alwaysUse,
      @Nullable List<String> models,
      KeyAudience bearers) {
    public Use {
      models = models == null ? null : List.copyOf(models);
      Objects.requireNonNull(bearers, "bearers");
    }
  }

  /**
   * The callers for whom a key is used.
   *
   * @param keys only for callers with these keys; null: for all
   * @param users only for callers whose key was made for these; null: for all
   * @param workspace only for callers of this one; null: of all
   */
  public record KeyAudience(
      @Nullable List<KeyId> keys, @Nullable List<String> users, @Nullable String workspace) {
    public static final KeyAudience ALL = new KeyAudience(null, null, null);

    public KeyAudience {
      keys = keys == null ? null : List.copyOf(keys);
      users = users == null ? null : List.copyOf(users);
    }

    /** Whether an anonymous caller may use the key. */
    public boolean admitAll() {
      return keys == null && users == null && workspace == null;
    }

    public boolean admit(KeyId key, String user, String inWorkspace) {
      return admit(List.of(key), user, inWorkspace);
    }

    /**
     * @param hashes every hash that names the caller's key
     */
    public boolean admit(List<KeyId> hashes, String user, String inWorkspace) {
      return (keys == null || hashes.stream().anyMatch(keys::contains))
          && (users == null || users.contains(user))
          && (workspace == null || workspace.equals(inWorkspace));
    }
  }
}
