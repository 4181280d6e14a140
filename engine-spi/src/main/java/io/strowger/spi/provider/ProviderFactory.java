package io.strowger.spi.provider;

/**
 * Makes adapters of one protocol. Constructed by the host, or found by it; the engine never looks
 * for one by itself.
 */
public interface ProviderFactory {
  /** The configuration's word for it, such as {@code openai-chat}. */
  String protocol();

  /**
   * An adapter for one provider. Called once per provider and catalog; the engine closes what it
   * gets. Opens no connection yet.
   */
  ChatProvider create(ProviderSettings settings);

  /**
   * Frees what adapters share, such as a transport. Called once, when the gateway it was given to
   * is closed.
   */
  default void close() {}
}
