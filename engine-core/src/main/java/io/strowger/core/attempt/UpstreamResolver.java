package io.strowger.core.attempt;

import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import org.jspecify.annotations.Nullable;

/** Who speaks to a provider, and with which credential. */
@FunctionalInterface
public interface UpstreamResolver {
  /**
   * The adapter of the provider of this slug.
   *
   * @param byokKey id of the customer's own key to authenticate with; null for the gateway's
   * @return null when its protocol is not built into this gateway, or there is no such key
   */
  @Nullable Upstream of(String provider, @Nullable String byokKey);

  /**
   * @param adapter speaks the provider's dialect
   * @param credential the one asked for
   */
  record Upstream(ChatProvider adapter, Credential credential) {}
}
