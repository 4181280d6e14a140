package io.strowger.providers.messages;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.provider.Call;
import org.jspecify.annotations.Nullable;

/**
 * Describes how an answer is mapped back to the caller's form: which names and which tool of the
 * call were sent in another form.
 *
 * @param names maps the upstream's tool names to the caller's
 * @param answerTool the name of the tool whose input is the answer; null when there is none
 * @param translated whether the caller speaks another dialect
 */
record AnswerMapping(SafeNames names, @Nullable String answerTool, boolean translated) {

  static AnswerMapping forCall(Call call) {
    boolean translated = call.request().dialect() != Dialect.MESSAGES;
    return new AnswerMapping(
        SafeNames.ofTools(call.request(), Dialect.MESSAGES), AnswerTool.nameFor(call), translated);
  }

  /** Returns whether this is the answer tool, whose input is the model's answer. */
  boolean isAnswerTool(@Nullable String tool) {
    return answerTool != null && answerTool.equals(tool);
  }
}
