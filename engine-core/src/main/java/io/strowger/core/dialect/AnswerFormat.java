package io.strowger.core.dialect;

import io.strowger.core.inference.Reply;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.InferenceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Writes answers in one dialect. Everything else about answering a request is the same for every
 * dialect. Contract: "Events". Safe on any thread; the writers it creates are not.
 */
public interface AnswerFormat {
  /**
   * What the caller asked to see besides the answer.
   *
   * @param metadata whether to write how the request was routed
   * @param debug whether to write the bodies sent to upstreams; only some dialects can
   */
  record Options(boolean metadata, boolean debug) {}

  /**
   * Returns whether this dialect writes this error as an answer. The error is then written like an
   * answer that failed before its first content.
   */
  default boolean writesAsAnswer(GatewayError error) {
    return false;
  }

  /**
   * Returns a writer for an answer as a stream. If the request is refused too late for a status of
   * its own, the only event of the stream is that failure.
   */
  EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options);

  /**
   * Writes an answer as one document.
   *
   * @param answer the whole answer; it may have failed after a part of it
   * @param metadata whether the caller asked how the request was routed
   * @return the body of a 200; null when this dialect cannot express an answer that broke off, or
   *     that the upstream ended with an error: the caller then gets only the error
   */
  @Nullable JsonOutput document(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata);
}
