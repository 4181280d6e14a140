package io.strowger.core.routing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reference to a BYOK key, as far as routing needs it: its identity, never the secret. Each key
 * adds a candidate for every endpoint it is for. Routing fact sheet, section 8.
 *
 * @param id unique among the keys of a query
 * @param provider the slug of the provider it is for
 * @param fallback whether it is used after the gateway's own credential instead of before it
 * @param sortOrder its place among the keys, lowest first
 * @param alwaysUse whether the gateway's credential is never used where this key may be
 * @param models the ids of the models it may be used for; null for any
 */
public record ByokKeyRef(
    String id,
    String provider,
    boolean fallback,
    int sortOrder,
    boolean alwaysUse,
    @Nullable List<String> models) {
  public ByokKeyRef {
    models = models == null ? null : List.copyOf(models);
  }
}
