package io.strowger.spi.provider;

import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Creates adapters of one protocol. Constructed by the host, or named in {@code META-INF/services}
 * of a jar in the plugin directory; a factory named there has a public constructor without
 * arguments.
 */
public interface ProviderFactory {
  /** Returns the name that configurations give as {@code protocol}, such as {@code openai-chat}. */
  String protocol();

  /**
   * Returns a factory of the same protocol whose adapters use these transports. It does not close
   * the transports. The returned factory replaces this one: this one is not used any more, and the
   * returned one closes what this one has opened. Called by {@code Gateway.open} for factories of
   * the class path, at most once, before any adapter is made.
   *
   * @return the new factory; this one when its adapters do not use shared transports
   */
  default ProviderFactory withTransports(Transports transports) {
    return this;
  }

  /**
   * Makes an adapter for one provider. Called once per provider and catalog; the engine closes the
   * adapter. Opens no connection yet.
   */
  ChatProvider create(ProviderSettings settings);

  /**
   * Makes an adapter for the provider's embeddings. Called once per provider and catalog; the
   * engine closes the adapter. Opens no connection yet.
   *
   * @return null when the protocol has no embeddings: endpoints of that kind are then not used
   */
  default @Nullable EmbeddingsProvider createEmbeddings(ProviderSettings settings) {
    return null;
  }

  /**
   * Makes an adapter for the provider's speech. Called once per provider and catalog; the engine
   * closes the adapter. Opens no connection yet.
   *
   * @return null when the protocol has no speech: endpoints of that kind are then not used
   */
  default @Nullable SpeechProvider createSpeech(ProviderSettings settings) {
    return null;
  }

  /**
   * Makes an adapter for the provider's endpoints of a kind whose answers are not streamed. Called
   * once per kind, provider and catalog; the engine closes the adapter. Opens no connection yet.
   *
   * @param kind {@link Endpoint.Kind#RERANK}, {@link Endpoint.Kind#IMAGES} or {@link
   *     Endpoint.Kind#TRANSCRIPTIONS}; further kinds may be added
   * @return null when the protocol has nothing of that kind: endpoints of that kind are not used
   */
  default @Nullable UnaryProvider createUnary(ProviderSettings settings, Endpoint.Kind kind) {
    return null;
  }

  /**
   * Frees what the adapters share, such as a transport. Called once, after all adapters of the
   * factory were closed: when the gateway of this factory is closed, or when its jar was replaced
   * or removed and no request uses it any more.
   */
  default void close() {}
}
