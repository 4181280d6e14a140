package io.strowger.spring;

import io.strowger.spi.error.Problem;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an application starts and its gateway cannot be built, because the configuration is
 * invalid or refers to something that does not exist. Contains every problem found. Boot prints
 * them as a list in place of a stack trace.
 */
public final class InvalidGatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String source;
  private final transient List<Problem> problems;

  /**
   * Creates the exception.
   *
   * @param source a description of the source of the problems, such as {@code class path resource
   *     [gateway.json]}
   * @param problems at least one; without a secret
   * @param cause null when there is none
   */
  InvalidGatewayException(String source, List<Problem> problems, @Nullable Throwable cause) {
    super(
        source + ": " + problems.stream().map(Problem::toString).collect(Collectors.joining("; ")),
        cause);
    this.source = Objects.requireNonNull(source, "source");
    this.problems = List.copyOf(problems);
  }

  /** Returns a description of the source of the problems, for messages. */
  public String source() {
    return source;
  }

  /** Returns every problem, each with its place in the configuration; at least one. */
  public List<Problem> problems() {
    return problems;
  }
}
