package io.strowger.core.client;

import io.strowger.spi.json.Json;

/**
 * The type of a typed answer: a JSON Schema for the model, and a reader for the JSON it writes.
 * Module {@code strowger-typed} derives it from a record. Safe on any thread.
 *
 * @param <T> the type of the result
 */
public interface AnswerType<T> {
  /** Returns the name of the schema: letters, digits, {@code _} and {@code -}; at most 64. */
  String name();

  /** Returns the JSON Schema of the answer, fit for strict structured output. */
  Json.Obj schema();

  /**
   * Reads an answer.
   *
   * @param json as the model wrote it; it may be malformed
   * @return never null
   * @throws JsonMismatchException when it does not fit; whatever else is thrown is a bug of the
   *     type and reaches the caller as it is, without the id of the answer
   */
  T read(String json) throws JsonMismatchException;
}
