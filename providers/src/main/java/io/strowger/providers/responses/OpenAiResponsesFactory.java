package io.strowger.providers.responses;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.speech.OpenAiSpeech;
import io.strowger.providers.upstream.SharedTransport;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;

/** Creates adapters for {@code openai-responses} upstreams, all over one transport. */
public final class OpenAiResponsesFactory implements ProviderFactory {
  private final SharedTransport shared;

  /** Creates a factory with a transport of its own, which is closed with the gateway. */
  public OpenAiResponsesFactory() {
    this(SharedTransport.open());
  }

  /**
   * Creates a factory over a transport.
   *
   * @param transport the transport, which its owner closes after the gateway
   */
  public OpenAiResponsesFactory(Transport transport) {
    this(transport, AnswerMemory.ofHeap());
  }

  /**
   * Creates a factory over a transport.
   *
   * @param transport the transport, which its owner closes after the gateway
   * @param memory the memory for answers, shared by all factories it is passed to
   */
  public OpenAiResponsesFactory(Transport transport, AnswerMemory memory) {
    this(SharedTransport.of(transport, memory));
  }

  private OpenAiResponsesFactory(SharedTransport shared) {
    this.shared = shared;
  }

  @Override
  public String protocol() {
    return ResponsesCodec.PROTOCOL;
  }

  @Override
  public ProviderFactory withTransports(Transports transports) {
    return new OpenAiResponsesFactory(shared.replaceWith(transports));
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return shared.createChatProvider(settings, new ResponsesCodec(settings.baseUri()));
  }

  @Override
  public SpeechProvider createSpeech(ProviderSettings settings) {
    return new OpenAiSpeech(shared.transport(), settings, shared.memory());
  }

  @Override
  public void close() {
    shared.close();
  }
}
