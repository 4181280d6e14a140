package io.strowger.spi.provider;

import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The audio of one answer. Nothing is read from the upstream before the reader asks for it. One
 * thread reads the stream, any thread may close it.
 */
public interface AudioStream extends AutoCloseable {
  /**
   * Returns the media type the upstream gives, which may have parameters; null when it gives none.
   * The engine compares it with the requested format.
   */
  @Nullable String mediaType();

  /**
   * Reads the bytes that are available, and waits for the first one if there are none.
   *
   * @param buffer the buffer to fill, with a length of at least 1
   * @return the number of bytes read, at least 1; -1 at the end of a complete answer, and from then
   *     on
   * @throws UpstreamException when the answer breaks off
   * @throws io.strowger.spi.error.GatewayException when the gateway itself has too little memory
   */
  int read(byte[] buffer) throws UpstreamException;

  /** Returns whether {@link #read} would return without waiting. */
  boolean ready();

  /** Returns the usage of the answer once it is complete; null when the upstream reported none. */
  @Nullable Usage usage();

  /** Ends the exchange. May be called on any thread, any number of times. */
  @Override
  void close();
}
