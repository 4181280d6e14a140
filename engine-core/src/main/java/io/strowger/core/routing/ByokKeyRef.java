package io.strowger.core.routing;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A customer's own credential for a provider, as far as routing cares: who it is, never what it is.
 * Each makes another candidate of every endpoint it is for. Provider routing fact sheet, section 8.
 *
 * @param id unique among the keys of a query
 * @param provider slug of the provider it is for
 * @param fallback used after the gateway's own credential instead of before it
 * @param sortOrder place among keys, lowest first
 * @param alwaysUse the gateway's own credential is not used at all where this key may be
 * @param models ids it may be used for; null: any
 */
public record ByokKeyRef(
    String id,
    String provider,
    boolean fallback,
    int sortOrder,
    boolean alwaysUse,
    @Nullable List<String> models) {
  public ByokKeyRef {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(provider, "provider");
    models = models == null ? null : List.copyOf(models);
  }
}
