package io.strowger.core.dialect;

import io.strowger.core.inference.Reply;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.InferenceRequest;
import org.jspecify.annotations.Nullable;

/**
 * How one dialect writes answers: the front of the engine is the same for all of them but for this.
 * Contract: "Events". Safe on any thread; the writers it gives are not.
 */
public interface AnswerFormat {
  /**
   * What the caller asked to see besides the answer.
   *
   * @param metadata how the request was routed
   * @param debug the bodies sent to upstreams; only some dialects show them
   */
  record Options(boolean metadata, boolean debug) {}

  /**
   * True when this dialect gives a failure as an answer rather than as an error: then a refusal for
   * it is written like an answer in which nothing was said before it failed.
   */
  default boolean answers(GatewayError error) {
    return false;
  }

  /**
   * Begins to write an answer as a stream. The answer may turn out to be nothing but a refusal that
   * comes too late for a status of its own: then its only event says so.
   */
  EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options);

  /**
   * Writes an answer as one document.
   *
   * @param answer all of it; it may have failed after something was said
   * @param metadata the caller asked how the request was routed
   * @return the body of a 200; null when this dialect has no words for an answer that broke off, or
   *     that the upstream ended with an error: then the caller reads the error alone
   */
  @Nullable JsonOutput document(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata);
}
