package io.strowger.core.client;

import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Thrown when JSON that a model wrote does not fit the type it is read as. */
public final class JsonMismatchException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /**
   * @param problems each place that does not fit, and what would fit there; at least one
   */
  public JsonMismatchException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one problem");
    }
    this.problems = List.copyOf(problems);
  }

  /**
   * @param at the place that does not fit
   * @param allowed what would fit, as the end of a sentence: {@code must be a whole number}
   */
  public JsonMismatchException(JsonPointer at, String allowed) {
    this(List.of(new Problem(Objects.requireNonNull(at, "at"), allowed, "")));
  }

  /** Returns each place that does not fit; at least one. */
  public List<Problem> problems() {
    return problems;
  }
}
