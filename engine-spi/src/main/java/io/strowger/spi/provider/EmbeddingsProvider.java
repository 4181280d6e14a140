package io.strowger.spi.provider;

/**
 * An adapter for the embeddings of one upstream.
 *
 * <p>Threads: {@link #embed} is called on the request's own virtual thread, by many requests at
 * once, and may block. Frequency: once per attempt. An adapter classifies failures and decides
 * nothing: no retry, no fallback, no sleeping, no logging. Throwing anything but what is declared
 * here, or returning null, is a bug of the adapter and fails the request with 500.
 *
 * <p>Contract: embeddings fact sheet.
 */
public interface EmbeddingsProvider extends AutoCloseable {
  /**
   * Sends the request and waits for the whole answer. When {@code call.cancellation()} is
   * cancelled, this ends within 100 ms with an {@link UpstreamException}, whose kind is TIMEOUT
   * when the cause is a deadline and CANCELLED otherwise.
   *
   * @throws UpstreamException when no usable answer will come: another candidate may be tried
   * @throws io.strowger.spi.error.GatewayException when the gateway itself has too little memory or
   *     too few connections: no other candidate is tried
   */
  EmbeddingsAnswer embed(EmbeddingsCall call) throws UpstreamException;

  /** Frees connections and ends calls that are under way. */
  @Override
  void close();
}
