package io.strowger.providers.chat;

import io.strowger.providers.embeddings.OpenAiEmbeddings;
import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.images.OpenAiImages;
import io.strowger.providers.rerank.HttpRerank;
import io.strowger.providers.speech.OpenAiSpeech;
import io.strowger.providers.transcription.OpenAiTranscriptions;
import io.strowger.providers.upstream.HttpChatProvider;
import io.strowger.providers.upstream.HttpTransports;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;
import io.strowger.spi.provider.UnaryProvider;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes adapters for upstreams that speak {@code openai-chat}, all over one transport. */
public final class OpenAiChatFactory implements ProviderFactory {
  private final Transport transport;
  private final AnswerMemory memory;
  private final @Nullable ApacheTransport own;

  /** Adapters over a transport of their own, which is closed with the gateway. */
  public OpenAiChatFactory() {
    this(new ApacheTransport());
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   */
  public OpenAiChatFactory(Transport transport) {
    this(transport, AnswerMemory.ofHeap());
  }

  /**
   * @param transport stays the host's, which closes it after the gateway
   * @param memory for the answers of all adapters of all factories it is given to
   */
  public OpenAiChatFactory(Transport transport, AnswerMemory memory) {
    this(transport, memory, null);
  }

  private OpenAiChatFactory(ApacheTransport own) {
    this(own, AnswerMemory.ofHeap(), own);
  }

  private OpenAiChatFactory(
      Transport transport, AnswerMemory memory, @Nullable ApacheTransport own) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.memory = Objects.requireNonNull(memory, "memory");
    this.own = own;
  }

  @Override
  public String protocol() {
    return ChatCodec.PROTOCOL;
  }

  @Override
  public ProviderFactory withTransports(Transports shared) {
    close();
    return new OpenAiChatFactory(shared.providers(), HttpTransports.memory(shared));
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    if (own != null) {
      own.sweepBy(settings.ambient());
    }
    return new HttpChatProvider(transport, settings, new ChatCodec(settings.baseUri()), memory);
  }

  @Override
  public EmbeddingsProvider createEmbeddings(ProviderSettings settings) {
    return new OpenAiEmbeddings(transport, settings, memory);
  }

  @Override
  public SpeechProvider createSpeech(ProviderSettings settings) {
    return new OpenAiSpeech(transport, settings, memory);
  }

  @Override
  public @Nullable UnaryProvider createUnary(ProviderSettings settings, Endpoint.Kind kind) {
    return switch (kind) {
      case RERANK -> new HttpRerank(transport, settings, memory);
      case IMAGES -> new OpenAiImages(transport, settings, memory);
      case TRANSCRIPTIONS -> new OpenAiTranscriptions(transport, settings, memory);
      case CHAT, EMBEDDINGS, SPEECH -> null;
    };
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
