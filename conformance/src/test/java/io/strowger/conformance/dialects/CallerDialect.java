package io.strowger.conformance.dialects;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.EventWriter;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.chat.ChatFormat;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.messages.MessagesFormat;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.dialect.responses.ResponsesFormat;
import io.strowger.core.inference.Replies;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.EventStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The dialects of callers: each decodes requests, and writes answers as a caller reads them. */
public enum CallerDialect {
  CHAT,
  MESSAGES,
  RESPONSES;

  private static final long COMPLETED = Replies.CREATED + 2;

  /** Decodes a body, which must be valid. */
  public InferenceRequest decode(Json.Obj body) {
    var problems = new Problems();
    InferenceRequest request =
        switch (this) {
          case CHAT -> new ChatDecoder((entry, at, found) -> {}).decode(body, problems);
          case MESSAGES -> new MessagesDecoder((entry, at, found) -> {}).decode(body, problems);
          case RESPONSES -> new ResponsesDecoder((entry, at, found) -> {}).decode(body, problems);
        };
    return Objects.requireNonNull(problems.requireValid(request));
  }

  private AnswerFormat format() {
    return switch (this) {
      case CHAT -> new ChatFormat();
      case MESSAGES -> new MessagesFormat();
      case RESPONSES -> new ResponsesFormat(() -> Instant.ofEpochSecond(COMPLETED));
    };
  }

  /** Returns the upstream adapter that reads the answers of this dialect. */
  public Upstream mirror() {
    return switch (this) {
      case CHAT -> Upstream.CHAT;
      case MESSAGES -> Upstream.MESSAGES;
      case RESPONSES -> Upstream.RESPONSES;
    };
  }

  /** Returns the JSON document that a caller gets for an answer of these events. */
  public byte[] document(List<Event> events, InferenceRequest request) {
    var reply = Replies.answered(events.toArray(Event[]::new));
    JsonOutput document =
        format().document(reply, request, CollectedAnswer.from(EventStream.of(events)), false);
    return Objects.requireNonNull(document, "the answer broke off").toByteArray();
  }

  /** Returns the whole stream that a caller gets for an answer of these events. */
  public byte[] stream(List<Event> events, InferenceRequest request) {
    var reply = Replies.answered(events.toArray(Event[]::new));
    EventWriter writer = format().writer(reply, request, new AnswerFormat.Options(false, false));
    var out = new JsonOutput(1024);
    events.forEach(event -> writer.write(event, out));
    return out.toByteArray();
  }
}
