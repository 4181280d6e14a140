package io.strowger.providers.chat;

import io.strowger.providers.embeddings.OpenAiEmbeddings;
import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.images.OpenAiImages;
import io.strowger.providers.rerank.HttpRerank;
import io.strowger.providers.speech.OpenAiSpeech;
import io.strowger.providers.transcription.OpenAiTranscriptions;
import io.strowger.providers.upstream.SharedTransport;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;
import io.strowger.spi.provider.UnaryProvider;
import org.jspecify.annotations.Nullable;

/** Creates adapters for {@code openai-chat} upstreams, all over one transport. */
public final class OpenAiChatFactory implements ProviderFactory {
  private final SharedTransport shared;

  /** Creates a factory with a transport of its own, which is closed with the gateway. */
  public OpenAiChatFactory() {
    this(SharedTransport.open());
  }

  /**
   * Creates a factory over a transport.
   *
   * @param transport the transport, which its owner closes after the gateway
   */
  public OpenAiChatFactory(Transport transport) {
    this(transport, AnswerMemory.ofHeap());
  }

  /**
   * Creates a factory over a transport.
   *
   * @param transport the transport, which its owner closes after the gateway
   * @param memory the memory for answers, shared by all factories it is passed to
   */
  public OpenAiChatFactory(Transport transport, AnswerMemory memory) {
    this(SharedTransport.of(transport, memory));
  }

  private OpenAiChatFactory(SharedTransport shared) {
    this.shared = shared;
  }

  @Override
  public String protocol() {
    return ChatCodec.PROTOCOL;
  }

  @Override
  public ProviderFactory withTransports(Transports transports) {
    return new OpenAiChatFactory(shared.replaceWith(transports));
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return shared.createChatProvider(settings, new ChatCodec(settings.baseUri()));
  }

  @Override
  public EmbeddingsProvider createEmbeddings(ProviderSettings settings) {
    return new OpenAiEmbeddings(shared.transport(), settings, shared.memory());
  }

  @Override
  public SpeechProvider createSpeech(ProviderSettings settings) {
    return new OpenAiSpeech(shared.transport(), settings, shared.memory());
  }

  @Override
  public @Nullable UnaryProvider createUnary(ProviderSettings settings, Endpoint.Kind kind) {
    return switch (kind) {
      case RERANK -> new HttpRerank(shared.transport(), settings, shared.memory());
      case IMAGES -> new OpenAiImages(shared.transport(), settings, shared.memory());
      case TRANSCRIPTIONS ->
          new OpenAiTranscriptions(shared.transport(), settings, shared.memory());
      case CHAT, EMBEDDINGS, SPEECH -> null;
    };
  }

  @Override
  public void close() {
    shared.close();
  }
}
