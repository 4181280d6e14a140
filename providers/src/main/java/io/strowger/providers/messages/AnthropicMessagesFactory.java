package io.strowger.providers.messages;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.upstream.SharedTransport;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;

/** Creates adapters for {@code anthropic-messages} upstreams, all over one transport. */
public final class AnthropicMessagesFactory implements ProviderFactory {
  private final SharedTransport shared;

  /** Creates a factory with a transport of its own, which is closed with the gateway. */
  public AnthropicMessagesFactory() {
    this(SharedTransport.open());
  }

  /**
   * Creates a factory over a transport.
   *
   * @param transport the transport, which its owner closes after the gateway
   */
  public AnthropicMessagesFactory(Transport transport) {
    this(transport, AnswerMemory.ofHeap());
  }

  /**
   * Creates a factory over a transport.
   *
   * @param transport the transport, which its owner closes after the gateway
   * @param memory the memory for answers, shared by all factories it is passed to
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
    return new AnthropicMessagesFactory(shared.replaceWith(transports));
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return shared.createChatProvider(
        settings, new MessagesCodec(settings.baseUri(), settings.codec()));
  }

  @Override
  public void close() {
    shared.close();
  }
}
