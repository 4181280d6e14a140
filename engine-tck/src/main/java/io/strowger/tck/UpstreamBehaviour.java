package io.strowger.tck;

/**
 * What an upstream does with every call from now on, as {@link ChatProviderContract} asks it to.
 */
public sealed interface UpstreamBehaviour {
  /**
   * Answers with the text of the request's last message, complete and with its usage: as a stream
   * of several pieces when the request asks for one, otherwise whole.
   */
  record Echoes() implements UpstreamBehaviour {}

  /** Begins a stream with this text and then is silent, its connection open. */
  record Stalls(String text) implements UpstreamBehaviour {}

  /** Accepts the connection and says nothing at all. */
  record Silent() implements UpstreamBehaviour {}

  /** Begins a stream with this text and then cuts the connection. */
  record Cuts(String text) implements UpstreamBehaviour {}

  /** Answers with success, but with bytes that are no answer in its dialect. */
  record Garbage() implements UpstreamBehaviour {}

  /**
   * Refuses.
   *
   * @param status the HTTP status
   * @param retryAfterSeconds sent as a header; -1: none
   * @param message what the refusal says
   */
  record Refuses(int status, int retryAfterSeconds, String message) implements UpstreamBehaviour {}
}
