package io.strowger.providers.messages;

import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.upstream.HttpChatProvider;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import java.util.Objects;

/** Makes adapters for upstreams that speak {@code anthropic-messages}, all over one transport. */
public final class AnthropicMessagesFactory implements ProviderFactory {
  private final Transport transport;
  private final boolean own;

  /** Adapters over a transport of their own, which is closed with the gateway. */
  public AnthropicMessagesFactory() {
    this(new ApacheTransport(), true);
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   */
  public AnthropicMessagesFactory(Transport transport) {
    this(transport, false);
  }

  private AnthropicMessagesFactory(Transport transport, boolean own) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.own = own;
  }

  @Override
  public String protocol() {
    return MessagesWire.PROTOCOL;
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return new HttpChatProvider(
        transport, settings, new MessagesWire(settings.baseUri(), settings.codec()));
  }

  @Override
  public void close() {
    if (own) {
      transport.close();
    }
  }
}
