package io.strowger.spi.provider;

import io.strowger.spi.json.Json;

/** Reads JSON for adapters, which bring no parser of their own. Safe on any thread. */
public interface JsonCodec {
  /**
   * Reads one document strictly: UTF-8, no trailing content, no duplicate names in an object,
   * bounded depth.
   *
   * @param document the bytes, not to be changed afterwards, since the values refer to them
   * @throws MalformedJsonException when the document breaks one of these rules
   */
  Json parse(byte[] document) throws MalformedJsonException;

  /** Thrown when a document is not JSON that {@link JsonCodec#parse} accepts. */
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
