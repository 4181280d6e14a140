package io.strowger.spi.catalog;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who serves endpoints, as far as routing cares.
 *
 * @param slug the name used in {@code provider.order}, {@code only} and {@code ignore}; lower case
 * @param name the name shown to people
 * @param retainsPrompts keeps prompts; true when the policy is not known
 * @param trainsOnPrompts trains on prompts; true when the policy is not known
 * @param region where it computes; null when it does not say
 * @param moderated checks content itself
 */
public record ProviderInfo(
    String slug,
    String name,
    boolean retainsPrompts,
    boolean trainsOnPrompts,
    @Nullable String region,
    boolean moderated) {
  public ProviderInfo {
    Objects.requireNonNull(slug, "slug");
    Objects.requireNonNull(name, "name");
  }
}
