package io.strowger.core.client;

import io.strowger.spi.json.Json;

/**
 * The type of a typed answer: a JSON Schema for the model, and a reader for the JSON it writes.
 * Module {@code strowger-typed} derives one from a record. Safe on any thread.
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
   * @param json the answer as the model wrote it; may be malformed
   * @return the value; never null
   * @throws JsonMismatchException when the JSON does not fit; any other exception is a bug in this
   *     type and reaches the caller unchanged, without the id of the answer
   */
  T read(String json) throws JsonMismatchException;
}
