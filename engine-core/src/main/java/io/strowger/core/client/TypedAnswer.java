package io.strowger.core.client;

import java.util.Objects;

/**
 * An answer converted to a Java value.
 *
 * @param value the text of the answer, converted
 * @param answer the answer itself: its text, usage, cost and decision
 * @param <T> the type of the value
 */
public record TypedAnswer<T>(T value, ChatAnswer answer) {
  public TypedAnswer {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(answer, "answer");
  }

  /** Returns the generation id and the endpoint, without any content. */
  @Override
  public String toString() {
    return "Typed" + answer;
  }
}
