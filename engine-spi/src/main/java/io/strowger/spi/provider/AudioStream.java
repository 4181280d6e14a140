package io.strowger.spi.provider;

import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The sound of one answer. Pulled: nothing is read from the upstream before the reader asks for it.
 * Read by one thread, closed by any.
 */
public interface AudioStream extends AutoCloseable {
  /**
   * Returns the media type the upstream gives, which may have parameters; null when it gives none.
   * The engine compares it with what was asked for.
   */
  @Nullable String mediaType();

  /**
   * Reads what there is, waiting for the first byte of it.
   *
   * @param into has room for at least one byte
   * @return how many bytes were read, at least 1; -1 at the end of a complete answer, and from then
   *     on
   * @throws UpstreamException when the answer breaks off
   * @throws io.strowger.spi.error.GatewayException when the gateway itself has too little memory
   */
  int read(byte[] into) throws UpstreamException;

  /** True when {@link #read} would not wait. */
  boolean ready();

  /** Returns what the answer used, once it is complete; null when the upstream did not say. */
  @Nullable Usage usage();

  /** Ends the exchange. Any thread, any number of times. */
  @Override
  void close();
}
