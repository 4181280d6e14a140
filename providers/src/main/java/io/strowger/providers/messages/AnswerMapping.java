package io.strowger.providers.messages;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.provider.Call;
import org.jspecify.annotations.Nullable;

/**
 * What the reader of an answer must know about its call: what was sent in another form and must be
 * converted back.
 *
 * @param names maps the upstream's tool names to the caller's
 * @param answerTool the name of the tool whose input is the answer; null when there is none
 * @param foreign whether the caller speaks another dialect
 */
record AnswerMapping(SafeNames names, @Nullable String answerTool, boolean foreign) {

  static AnswerMapping to(Call call) {
    boolean foreign = call.request().dialect() != Dialect.MESSAGES;
    return new AnswerMapping(
        SafeNames.ofTools(call.request(), Dialect.MESSAGES), AnswerTool.nameFor(call), foreign);
  }

  /** Returns whether this is the tool by whose input the model answers. */
  boolean isAnswer(@Nullable String tool) {
    return answerTool != null && answerTool.equals(tool);
  }
}
