package io.strowger.providers.chat;

import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.upstream.HttpChatProvider;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import java.util.Objects;

/** Makes adapters for upstreams that speak {@code openai-chat}, all over one transport. */
public final class OpenAiChatFactory implements ProviderFactory {
  private final Transport transport;
  private final boolean own;

  /** Adapters over a transport of their own, which is closed with the gateway. */
  public OpenAiChatFactory() {
    this(new ApacheTransport(), true);
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   */
  public OpenAiChatFactory(Transport transport) {
    this(transport, false);
  }

  private OpenAiChatFactory(Transport transport, boolean own) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.own = own;
  }

  @Override
  public String protocol() {
    return ChatWire.PROTOCOL;
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return new HttpChatProvider(transport, settings, new ChatWire(settings.baseUri()));
  }

  @Override
  public void close() {
    if (own) {
      transport.close();
    }
  }
}
