package io.strowger.spi.provider;

import io.strowger.spi.json.Json;
import java.util.OptionalLong;

/**
 * An adapter for one upstream: sends requests in the upstream's protocol and reads its answers.
 *
 * <p>Threads: {@link #open} is called on the request's own virtual thread, by many requests at
 * once, and may block. Frequency: once per attempt. An adapter classifies failures and decides
 * nothing: no retry, no fallback, no sleeping, no logging. Throwing anything but {@link
 * UpstreamException}, or returning null, is a bug of the adapter and fails the request with 500.
 *
 * <p>Contract: "What the service does", translation fact sheet. Contract test: {@code
 * ChatProviderContract} in engine-tck.
 */
public interface ChatProvider extends AutoCloseable {
  /**
   * Sends the request and waits until the upstream accepts or refuses it.
   *
   * <p>When {@code call.cancellation()} is cancelled, this method and a blocked read of the stream
   * end within 100 ms: the method with an exception, the stream with a {@code Failed} event. The
   * kind is TIMEOUT when the cause is a deadline, otherwise CANCELLED.
   *
   * @throws UpstreamException when no answer will come
   */
  EventStream open(Call call) throws UpstreamException;

  /**
   * Returns the body {@link #open} would send, without credentials, for a caller who asked to see
   * it.
   */
  Json body(Call call);

  /**
   * Asks the upstream to count the tokens of the prompt that {@link #open} would send. Called on
   * the request's own virtual thread, once for a caller's request to count tokens, and may block;
   * ends within 100 ms when {@code call.cancellation()} is cancelled, as {@link #open} does.
   * Nothing is charged for the count; when this method fails, the engine estimates the count.
   *
   * @return the number of tokens as the upstream counted; empty when the dialect has no way to ask,
   *     and then nothing was sent
   * @throws UpstreamException when the upstream was asked and no count will come
   */
  default OptionalLong countTokens(Call call) throws UpstreamException {
    return OptionalLong.empty();
  }

  /** Frees connections and ends open streams. */
  @Override
  void close();
}
