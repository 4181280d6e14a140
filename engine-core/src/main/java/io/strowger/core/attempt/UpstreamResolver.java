package io.strowger.core.attempt;

import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import org.jspecify.annotations.Nullable;

/** Finds the adapter and the credential for a provider. */
@FunctionalInterface
public interface UpstreamResolver {
  /**
   * Returns the adapter and the credential for the provider with this slug.
   *
   * @param byokKey id of the customer's own key to authenticate with; null for the gateway's
   * @return null when its protocol is not built into this gateway, or there is no such key
   */
  @Nullable Upstream resolve(String provider, @Nullable String byokKey);

  /**
   * An adapter and its credential.
   *
   * @param adapter the adapter of the provider
   * @param credential the credential to authenticate with
   */
  record Upstream(ChatProvider adapter, Credential credential) {}
}
