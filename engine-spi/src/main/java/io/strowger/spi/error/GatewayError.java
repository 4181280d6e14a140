package io.strowger.spi.error;

import io.strowger.spi.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An error that is returned to the caller. Immutable; each dialect writes it into its own envelope
 * (contract, "Errors").
 */
public final class GatewayError {
  private final ErrorCode code;
  private final String message;
  private final List<Problem> problems;
  private final Json.Obj metadata;
  private final Json.Obj availability;
  private final long retryAfterSeconds; // -1: none
  private final Map<String, String> headers;

  private GatewayError(
      ErrorCode code,
      String message,
      List<Problem> problems,
      Json.Obj metadata,
      Json.Obj availability,
      long retryAfterSeconds,
      Map<String, String> headers) {
    this.code = Objects.requireNonNull(code, "code");
    this.message = Objects.requireNonNull(message, "message");
    this.problems = List.copyOf(problems);
    this.metadata = metadata;
    this.availability = availability;
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }

  private static GatewayError create(ErrorCode code, String message, List<Problem> problems) {
    return new GatewayError(code, message, problems, Json.Obj.EMPTY, Json.Obj.EMPTY, -1, Map.of());
  }

  /** Returns an error with the default message of its code. */
  public static GatewayError of(ErrorCode code) {
    return of(code, code.message());
  }

  public static GatewayError of(ErrorCode code, String message) {
    return create(code, message, List.of());
  }

  /** Returns an error that names every problem found in a document; its message lists them. */
  public static GatewayError of(ErrorCode code, List<Problem> problems) {
    return of(code, code.message() + ":", problems);
  }

  /**
   * Returns an error that names every problem found in a document.
   *
   * @param message begins the message, before the problems, such as {@code Invalid batch list
   *     query.}
   */
  public static GatewayError of(ErrorCode code, String message, List<Problem> problems) {
    return create(code, message + " " + describe(problems), problems);
  }

  private static String describe(List<Problem> problems) {
    return problems.stream().map(Problem::toString).collect(Collectors.joining("; "));
  }

  public ErrorCode code() {
    return code;
  }

  public String message() {
    return message;
  }

  /** Returns the problems of a rejected document; empty for every other error. */
  public List<Problem> problems() {
    return problems;
  }

  /** Returns further members of {@code error.metadata}. */
  public Json.Obj metadata() {
    return metadata;
  }

  /** Returns {@code error.availability}; empty when the error is not about availability. */
  public Json.Obj availability() {
    return availability;
  }

  /** Returns the whole seconds to wait before another try; empty when none are known. */
  public OptionalLong retryAfterSeconds() {
    return retryAfterSeconds < 0 ? OptionalLong.empty() : OptionalLong.of(retryAfterSeconds);
  }

  /** Returns additional headers of the response, such as those of a rate limit; mostly none. */
  public Map<String, String> headers() {
    return headers;
  }

  /**
   * Returns this error with other problems, which its message lists instead. An error that had no
   * problems keeps its message.
   */
  public GatewayError withProblems(List<Problem> newProblems) {
    String newMessage =
        problems.isEmpty() ? message : message.replace(describe(problems), describe(newProblems));
    return new GatewayError(
        code, newMessage, newProblems, metadata, availability, retryAfterSeconds, headers);
  }

  /** Returns this error with another message. */
  public GatewayError withMessage(String newMessage) {
    return new GatewayError(
        code, newMessage, problems, metadata, availability, retryAfterSeconds, headers);
  }

  public GatewayError withMetadata(String name, Json value) {
    return new GatewayError(
        code,
        message,
        problems,
        metadata.with(name, value),
        availability,
        retryAfterSeconds,
        headers);
  }

  public GatewayError withAvailability(Json.Obj value) {
    return new GatewayError(code, message, problems, metadata, value, retryAfterSeconds, headers);
  }

  public GatewayError withRetryAfter(long seconds) {
    return new GatewayError(code, message, problems, metadata, availability, seconds, headers);
  }

  /** Returns this error with one more header of its response. */
  public GatewayError withHeader(String name, String value) {
    var newHeaders = new LinkedHashMap<>(headers);
    newHeaders.put(name, value);
    return new GatewayError(
        code,
        message,
        problems,
        metadata,
        availability,
        retryAfterSeconds,
        Collections.unmodifiableMap(newHeaders));
  }

  public GatewayException toException() {
    return new GatewayException(this);
  }

  /** Returns whether a caller receives the same error, including problems, metadata and headers. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GatewayError that
        && code == that.code
        && message.equals(that.message)
        && problems.equals(that.problems)
        && metadata.equals(that.metadata)
        && availability.equals(that.availability)
        && retryAfterSeconds == that.retryAfterSeconds
        && headers.equals(that.headers);
  }

  @Override
  public int hashCode() {
    return Objects.hash(code, message, problems, retryAfterSeconds);
  }

  @Override
  public String toString() {
    return code + ": " + message;
  }
}
