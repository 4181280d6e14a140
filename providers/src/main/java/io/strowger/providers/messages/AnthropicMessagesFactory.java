package io.strowger.providers.messages;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.upstream.SharedTransport;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;

/** Makes adapters for upstreams that speak {@code anthropic-messages}, all over one transport. */
public final class AnthropicMessagesFactory implements ProviderFactory {
  private final SharedTransport shared;

  /** Adapters over a transport of their own, which is closed with the gateway. */
  public AnthropicMessagesFactory() {
    this(SharedTransport.own());
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   */
  public AnthropicMessagesFactory(Transport transport) {
    this(transport, AnswerMemory.ofHeap());
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   * @param memory for the answers of all adapters of all factories it is given to
   */
  public AnthropicMessagesFactory(Transport transport, AnswerMemory memory) {
    this(SharedTransport.of(transport, memory));
  }

  private AnthropicMessagesFactory(SharedTransport shared) {
    this.shared = shared;
  }

  @Override
  public String protocol() {
    return MessagesCodec.PROTOCOL;
  }

  @Override
  public ProviderFactory withTransports(Transports transports) {
    return new AnthropicMessagesFactory(shared.replacedBy(transports));
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return shared.chat(settings, new MessagesCodec(settings.baseUri(), settings.codec()));
  }

  @Override
  public void close() {
    shared.close();
  }
}
