package io.strowger.providers.gemini;

import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.upstream.HttpChatProvider;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import java.util.Objects;

/** Makes adapters for upstreams that speak {@code gemini}, all over one transport. */
public final class GeminiFactory implements ProviderFactory {
  private final Transport transport;
  private final boolean own;

  /** Adapters over a transport of their own, which is closed with the gateway. */
  public GeminiFactory() {
    this(new ApacheTransport(), true);
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   */
  public GeminiFactory(Transport transport) {
    this(transport, false);
  }

  private GeminiFactory(Transport transport, boolean own) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.own = own;
  }

  @Override
  public String protocol() {
    return GeminiWire.PROTOCOL;
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return new HttpChatProvider(
        transport, settings, new GeminiWire(settings.baseUri(), settings.codec()));
  }

  @Override
  public void close() {
    if (own) {
      transport.close();
    }
  }
}
