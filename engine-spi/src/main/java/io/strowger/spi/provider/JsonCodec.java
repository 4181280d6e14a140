package io.strowger.spi.provider;

import io.strowger.spi.json.Json;

/** Reads JSON for adapters, which bring no parser of their own. Safe on any thread. */
public interface JsonCodec {
  /**
   * Reads one document strictly: UTF-8, nothing behind it, no name twice in an object, bounded
   * depth.
   *
   * @param document ownership passes, since values refer to it
   * @throws MalformedJsonException when it is not that
   */
  Json parse(byte[] document) throws MalformedJsonException;

  /** Thrown when a document is not JSON that this engine reads. */
  final class MalformedJsonException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what is wrong and at which byte; no more than a few words of the document
     */
    public MalformedJsonException(String message) {
      super(message, null, false, false);
    }
  }
}
