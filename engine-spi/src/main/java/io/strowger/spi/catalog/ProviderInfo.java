package io.strowger.spi.catalog;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a provider that routing uses.
 *
 * @param slug the name used in {@code provider.order}, {@code only} and {@code ignore}; lower case
 * @param name the name shown to people
 * @param retainsPrompts whether it keeps prompts; true when the policy is not known
 * @param trainsOnPrompts whether it trains on prompts; true when the policy is not known
 * @param region where it runs models; null when it does not say
 * @param moderated whether it checks content itself
 * @param protocol the protocol it speaks, as the configuration names it, such as {@code
 *     openai-chat}; empty when that is not known
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

  /** Creates a provider whose protocol is not known. */
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
