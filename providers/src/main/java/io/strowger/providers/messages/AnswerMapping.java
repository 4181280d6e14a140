package io.strowger.providers.messages;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.provider.Call;
import org.jspecify.annotations.Nullable;

/**
 * What has to be known of a call to read its answer: what was written differently, and is turned
 * back.
 *
 * @param names the caller's names of tools, by those the upstream was given
 * @param answerTool the tool whose input is the answer; null when there is none
 * @param foreign the caller speaks another dialect
 */
record AnswerMapping(SafeNames names, @Nullable String answerTool, boolean foreign) {

  static AnswerMapping to(Call call) {
    boolean foreign = call.request().dialect() != Dialect.MESSAGES;
    return new AnswerMapping(
        SafeNames.ofTools(call.request(), Dialect.MESSAGES), AnswerTool.nameFor(call), foreign);
  }

  /** The model gives its answer by calling this tool. */
  boolean isAnswer(@Nullable String tool) {
    return answerTool != null && answerTool.equals(tool);
  }
}
