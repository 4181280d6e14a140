package io.strowger.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import io.strowger.spi.json.Json;

/**
 * The attribute of a message that holds the model's reasoning with its signatures, as JSON text, so
 * that conversation memories keep it. Some models refuse to continue a conversation without it.
 */
final class ReasoningAttribute {
  static final String NAME = "reasoning_details";

  private ReasoningAttribute() {}

  /** Returns the reasoning a message was made with; empty when it has none. */
  static Json.Arr of(AiMessage message) {
    return message.attributes().get(NAME) instanceof String text
            && Json.parseOrNull(text) instanceof Json.Arr details
        ? details
        : Json.array();
  }
}
