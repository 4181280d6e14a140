package io.strowger.core.dialect.chat;

import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.EventWriter;
import io.strowger.core.inference.Reply;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.InferenceRequest;

/** Writes answers in the chat dialect. Chat fact sheet, sections 7 and 8. */
public final class ChatFormat implements AnswerFormat {
  @Override
  public EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options) {
    return new ChatWriter(reply, options);
  }

  @Override
  public JsonOutput document(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata) {
    return ChatAnswerWriter.write(reply, answer, metadata);
  }
}
