package io.strowger.providers.messages;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.upstream.HttpChatProvider;
import io.strowger.providers.upstream.HttpTransports;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes adapters for upstreams that speak {@code anthropic-messages}, all over one transport. */
public final class AnthropicMessagesFactory implements ProviderFactory {
  private final Transport transport;
  private final AnswerMemory memory;
  private final @Nullable ApacheTransport own;

  /** Adapters over a transport of their own, which is closed with the gateway. */
  public AnthropicMessagesFactory() {
    this(new ApacheTransport());
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
    this(transport, memory, null);
  }

  private AnthropicMessagesFactory(ApacheTransport own) {
    this(own, AnswerMemory.ofHeap(), own);
  }

  private AnthropicMessagesFactory(
      Transport transport, AnswerMemory memory, @Nullable ApacheTransport own) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.memory = Objects.requireNonNull(memory, "memory");
    this.own = own;
  }

  @Override
  public String protocol() {
    return MessagesCodec.PROTOCOL;
  }

  @Override
  public ProviderFactory withTransports(Transports shared) {
    close();
    return new AnthropicMessagesFactory(shared.providers(), HttpTransports.memory(shared));
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    if (own != null) {
      own.sweepBy(settings.ambient());
    }
    return new HttpChatProvider(
        transport, settings, new MessagesCodec(settings.baseUri(), settings.codec()), memory);
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
