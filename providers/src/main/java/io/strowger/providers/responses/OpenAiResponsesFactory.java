package io.strowger.providers.responses;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.speech.OpenAiSpeech;
import io.strowger.providers.upstream.HttpChatProvider;
import io.strowger.providers.upstream.HttpTransports;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes adapters for upstreams that speak {@code openai-responses}, all over one transport. */
public final class OpenAiResponsesFactory implements ProviderFactory {
  private final Transport transport;
  private final AnswerMemory memory;
  private final @Nullable ApacheTransport own;

  /** Adapters over a transport of their own, which is closed with the gateway. */
  public OpenAiResponsesFactory() {
    this(new ApacheTransport());
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   */
  public OpenAiResponsesFactory(Transport transport) {
    this(transport, AnswerMemory.ofHeap());
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   * @param memory for the answers of all adapters of all factories it is given to
   */
  public OpenAiResponsesFactory(Transport transport, AnswerMemory memory) {
    this(transport, memory, null);
  }

  private OpenAiResponsesFactory(ApacheTransport own) {
    this(own, AnswerMemory.ofHeap(), own);
  }

  private OpenAiResponsesFactory(
      Transport transport, AnswerMemory memory, @Nullable ApacheTransport own) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.memory = Objects.requireNonNull(memory, "memory");
    this.own = own;
  }

  @Override
  public String protocol() {
    return ResponsesCodec.PROTOCOL;
  }

  @Override
  public ProviderFactory withTransports(Transports shared) {
    close();
    return new OpenAiResponsesFactory(shared.providers(), HttpTransports.memory(shared));
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    if (own != null) {
      own.sweepBy(settings.ambient());
    }
    return new HttpChatProvider(
        transport, settings, new ResponsesCodec(settings.baseUri()), memory);
  }

  @Override
  public SpeechProvider createSpeech(ProviderSettings settings) {
    return new OpenAiSpeech(transport, settings, memory);
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
