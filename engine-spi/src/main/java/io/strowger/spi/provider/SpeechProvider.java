package io.strowger.spi.provider;

/**
 * An adapter for the speech of one upstream.
 *
 * <p>Threads: {@link #open} is called on the request's own virtual thread, by many requests at
 * once, and may block. Frequency: once per attempt. An adapter classifies failures and decides
 * nothing: no retry, no fallback, no sleeping, no logging. Throwing anything but what is declared
 * here, or returning null, is a bug of the adapter and fails the request with 500.
 *
 * <p>Contract: "POST /audio/speech"; speech fact sheet.
 */
public interface SpeechProvider extends AutoCloseable {
  /**
   * Sends the request and waits until the upstream accepts it. When {@code call.cancellation()} is
   * cancelled, this and a read of the stream end within 100 ms with an {@link UpstreamException},
   * whose kind is TIMEOUT when the cause is a deadline and CANCELLED otherwise.
   *
   * @return the audio, closed by the caller of this method
   * @throws UpstreamException when no audio will come: another candidate may be tried
   * @throws io.strowger.spi.error.GatewayException when the gateway itself has too little memory or
   *     too few connections: no other candidate is tried
   */
  AudioStream open(SpeechCall call) throws UpstreamException;

  /** Frees connections and ends calls that are under way. */
  @Override
  void close();
}
