package io.strowger.core.client;

import java.util.Objects;

/**
 * An answer converted to a Java value.
 *
 * @param value what the answer says
 * @param answer the answer itself: its text, usage, cost and decision
 * @param <T> of the value
 */
public record TypedAnswer<T>(T value, ChatAnswer answer) {
  public TypedAnswer {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(answer, "answer");
  }

  /** Returns what {@link ChatAnswer#toString} returns, and nothing of the value. */
  @Override
  public String toString() {
    return "Typed" + answer;
  }
}
