package io.strowger.providers.chat;

import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import java.util.Objects;

/** Makes adapters for upstreams that speak {@code openai-chat}, all over one transport. */
public final class OpenAiChatFactory implements ProviderFactory {
  private final Transport transport;

  /**
   * @param transport stays the host's, which closes it after the engine
   */
  public OpenAiChatFactory(Transport transport) {
    this.transport = Objects.requireNonNull(transport, "transport");
  }

  @Override
  public String protocol() {
    return "openai-chat";
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return new OpenAiChatProvider(transport, settings);
  }
}
