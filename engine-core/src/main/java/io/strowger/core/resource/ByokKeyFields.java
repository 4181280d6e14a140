package io.strowger.core.resource;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a customer's own key of a provider, besides the key itself. Routing fact sheet,
 * section 8; resources fact sheet, section 4.
 *
 * @param name for people; null for none
 * @param disabled not used
 * @param fallback after the gateway's own credential instead of before it
 * @param sortOrder place among keys, lowest first; at least 0
 * @param alwaysUse the gateway's own credential is not used for the provider
 * @param models only for these; null: for all
 * @param keys hashes of the only API keys for whose requests it is used; null: for all
 * @param users the only users for whose keys it is used; null: for all
 */
public record ByokKeyFields(
    @Nullable String name,
    boolean disabled,
    boolean fallback,
    int sortOrder,
    boolean alwaysUse,
    @Nullable List<String> models,
    @Nullable List<String> keys,
    @Nullable List<String> users) {
  public static final ByokKeyFields USUAL =
      new ByokKeyFields(null, false, false, 0, false, null, null, null);

  public ByokKeyFields {
    models = models == null ? null : List.copyOf(models);
    keys = keys == null ? null : List.copyOf(keys);
    users = users == null ? null : List.copyOf(users);
    if (sortOrder < 0) {
      throw new IllegalArgumentException("sortOrder must be at least 0, was " + sortOrder);
    }
  }

  /** What is to change of it; see {@link ByokKeyFields}. */
  public record Change(
      Patch<String> name,
      Patch<Boolean> disabled,
      Patch<Boolean> fallback,
      Patch<Integer> sortOrder,
      Patch<Boolean> alwaysUse,
      Patch<List<String>> models,
      Patch<List<String>> keys,
      Patch<List<String>> users) {
    public ByokKeyFields over(ByokKeyFields now) {
      return new ByokKeyFields(
          name.applyTo(now.name()),
          set(disabled.applyTo(now.disabled())),
          set(fallback.applyTo(now.fallback())),
          Objects.requireNonNullElse(sortOrder.applyTo(now.sortOrder()), 0),
          set(alwaysUse.applyTo(now.alwaysUse())),
          models.applyTo(now.models()),
          keys.applyTo(now.keys()),
          users.applyTo(now.users()));
    }

    private static boolean set(@Nullable Boolean value) {
      return value != null && value;
    }
  }
}
