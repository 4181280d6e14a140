package io.strowger.providers.responses;

import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.upstream.HttpChatProvider;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import java.util.Objects;

/** Makes adapters for upstreams that speak {@code openai-responses}, all over one transport. */
public final class OpenAiResponsesFactory implements ProviderFactory {
  private final Transport transport;
  private final boolean own;

  /** Adapters over a transport of their own, which is closed with the gateway. */
  public OpenAiResponsesFactory() {
    this(new ApacheTransport(), true);
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   */
  public OpenAiResponsesFactory(Transport transport) {
    this(transport, false);
  }

  private OpenAiResponsesFactory(Transport transport, boolean own) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.own = own;
  }

  @Override
  public String protocol() {
    return ResponsesWire.PROTOCOL;
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return new HttpChatProvider(transport, settings, new ResponsesWire(settings.baseUri()));
  }

  @Override
  public void close() {
    if (own) {
      transport.close();
    }
  }
}
