package io.strowger.core.config;

import io.strowger.spi.provider.Credential;
import io.strowger.spi.routing.CustomerKey;
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

  /**
   * A caller may use it.
   *
   * @param caller null when nobody in particular asks
   */
  public boolean admits(@Nullable KeyId caller) {
    List<KeyId> only = use.keys();
    return only == null || caller != null && only.contains(caller);
  }

  /** The key as routing knows it, without its secret. */
  public CustomerKey forRouting() {
    return new CustomerKey(
        id, provider, use.isFallback(), use.sortOrder(), use.alwaysUse(), use.models());
  }

  /**
   * When a key is used.
   *
   * @param isFallback after the provider's own credential instead of before it
   * @param sortOrder place among keys, lowest first
   * @param alwaysUse the provider's own credential is not used at all
   * @param models only for these; null: for all
   * @param keys only for callers with these keys; null: for all
   */
  public record Use(
      boolean isFallback,
      int sortOrder,
      boolean alwaysUse,
      @Nullable List<String> models,
      @Nullable List<KeyId> keys) {
    public Use {
      models = models == null ? null : List.copyOf(models);
      keys = keys == null ? null : List.copyOf(keys);
    }
  }
}
