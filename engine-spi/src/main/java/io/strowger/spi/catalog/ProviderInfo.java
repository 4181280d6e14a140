package io.strowger.spi.catalog;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a provider that routing uses.
 *
 * @param slug the name used in {@code provider.order}, {@code only} and {@code ignore}; lower case
 * @param name the name shown to people
 * @param retainsPrompts keeps prompts; true when the policy is not known
 * @param trainsOnPrompts trains on prompts; true when the policy is not known
 * @param region where it computes; null when it does not say
 * @param moderated checks content itself
 * @param protocol the configuration's word for what it speaks, such as {@code openai-chat}; empty
 *     when that is not known
 */
public record ProviderInfo(
    String slug,
    String name,
    boolean retainsPrompts,
    boolean trainsOnPrompts,
    @Nullable String region,
    boolean moderated,
    String protocol) {
  public ProviderInfo {
    Objects.requireNonNull(slug, "slug");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(protocol, "protocol");
  }

  /** A provider of which it is not known what it speaks. */
  public ProviderInfo(
      String slug,
      String name,
      boolean retainsPrompts,
      boolean trainsOnPrompts,
      @Nullable String region,
      boolean moderated) {
    this(slug, name, retainsPrompts, trainsOnPrompts, region, moderated, "");
  }
}
