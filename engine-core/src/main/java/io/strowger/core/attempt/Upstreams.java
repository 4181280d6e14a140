package io.strowger.core.attempt;

import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import org.jspecify.annotations.Nullable;

/** Who speaks to a provider, and with which credential. */
@FunctionalInterface
public interface Upstreams {
  /**
   * The adapter of the provider of this slug; null when its protocol is not built into this
   * gateway.
   */
  @Nullable Upstream of(String provider);

  /**
   * @param adapter speaks the provider's dialect
   * @param credential the gateway's own
   */
  record Upstream(ChatProvider adapter, Credential credential) {}
}
