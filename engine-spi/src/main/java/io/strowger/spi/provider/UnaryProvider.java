package io.strowger.spi.provider;

/**
 * An adapter for one upstream's endpoints of one kind whose answers are not streamed, such as
 * rerank.
 *
 * <p>Threads: {@link #answer} is called on the request's own virtual thread, by many requests at
 * once, and may block. Frequency: once per attempt. An adapter classifies failures and decides
 * nothing: no retry, no fallback, no sleeping, no logging. Throwing anything but what is declared
 * here, or returning null, is a bug of the adapter and fails the request with 500.
 *
 * <p>Contract: embeddings fact sheet.
 */
public interface UnaryProvider extends AutoCloseable {
  /**
   * Sends the request and waits for the whole answer. When {@code call.cancellation()} is
   * cancelled, this ends within 100 ms with an {@link UpstreamException}, whose kind is TIMEOUT
   * when the cause is a deadline and CANCELLED otherwise.
   *
   * @param call the call; its request is of the kind that this adapter was created for
   * @throws UpstreamException when no usable answer will come: another candidate may be tried
   * @throws io.strowger.spi.error.GatewayException when the gateway itself has too little memory or
   *     too few connections: no other candidate is tried
   */
  UnaryAnswer answer(UnaryCall call) throws UpstreamException;

  /** Frees connections and ends calls that are under way. */
  @Override
  void close();
}
