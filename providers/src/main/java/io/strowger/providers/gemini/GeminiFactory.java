package io.strowger.providers.gemini;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.upstream.SharedTransport;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;

/** Creates adapters for {@code gemini} upstreams, all over one transport. */
public final class GeminiFactory implements ProviderFactory {
  private final SharedTransport shared;

  /** Creates a factory with a transport of its own, which is closed with the gateway. */
  public GeminiFactory() {
    this(SharedTransport.open());
  }

  /**
   * Creates a factory over a transport.
   *
   * @param transport the transport, which its owner closes after the gateway
   */
  public GeminiFactory(Transport transport) {
    this(transport, AnswerMemory.ofHeap());
  }

  /**
   * Creates a factory over a transport.
   *
   * @param transport the transport, which its owner closes after the gateway
   * @param memory the memory for answers, shared by all factories it is passed to
   */
  public GeminiFactory(Transport transport, AnswerMemory memory) {
    this(SharedTransport.of(transport, memory));
  }

  private GeminiFactory(SharedTransport shared) {
    this.shared = shared;
  }

  @Override
  public String protocol() {
    return GeminiCodec.PROTOCOL;
  }

  @Override
  public ProviderFactory withTransports(Transports transports) {
    return new GeminiFactory(shared.replaceWith(transports));
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return shared.createChatProvider(
        settings, new GeminiCodec(settings.baseUri(), settings.codec()));
  }

  @Override
  public SpeechProvider createSpeech(ProviderSettings settings) {
    return new GeminiSpeech(shared.transport(), settings, shared.memory());
  }

  @Override
  public void close() {
    shared.close();
  }
}
