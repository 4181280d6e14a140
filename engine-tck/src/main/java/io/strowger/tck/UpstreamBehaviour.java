package io.strowger.tck;

/**
 * The behaviour of an upstream on every call, as set by a contract test such as {@link
 * ChatProviderContract}.
 */
public sealed interface UpstreamBehaviour {
  /**
   * Answers with the text of the request's last message, complete and with its usage: as a stream
   * of several events when the request asks for one, otherwise as a complete answer.
   */
  record Echoes() implements UpstreamBehaviour {}

  /** Begins an answer with this text and then sends nothing more, with the connection open. */
  record Stalls(String text) implements UpstreamBehaviour {}

  /** Accepts the connection and sends nothing. */
  record Silent() implements UpstreamBehaviour {}

  /** Begins an answer with this text and then closes the connection. */
  record Cuts(String text) implements UpstreamBehaviour {}

  /** Answers with status 200 and bytes that are not an answer in the dialect. */
  record Garbage() implements UpstreamBehaviour {}

  /**
   * Refuses the request.
   *
   * @param status the HTTP status
   * @param retryAfterSeconds the value of the {@code Retry-After} header; -1 for none
   * @param message the message in the body of the refusal
   */
  record Refuses(int status, int retryAfterSeconds, String message) implements UpstreamBehaviour {}
}
