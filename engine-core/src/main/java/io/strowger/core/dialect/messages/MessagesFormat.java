package io.strowger.core.dialect.messages;

import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.EventWriter;
import io.strowger.core.inference.Reply;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * Writes answers in the messages dialect. Messages fact sheet, sections 3 to 5. In this dialect an
 * answer that is not streamed cannot express that it broke off: the caller then gets only the
 * error.
 */
public final class MessagesFormat implements AnswerFormat {
  @Override
  public EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options) {
    return new MessagesStreamWriter(reply, options.metadata());
  }

  @Override
  public @Nullable JsonOutput document(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata) {
    return answer.failure() != null || answer.answer().stopReason() == StopReason.ERROR
        ? null
        : MessagesAnswerWriter.write(reply, answer, metadata);
  }
}
