package io.strowger.core.dialect.responses;

import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.EventWriter;
import io.strowger.core.inference.Reply;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Writes answers in the responses dialect. Responses fact sheet. Safe on any thread.
 *
 * @param clock the source of a response's completion time
 */
public record ResponsesFormat(Supplier<Instant> clock) implements AnswerFormat {
  private static final int OWN_MEMBERS_BYTES = 1024; // approximate bytes of the gateway's members

  @Override
  public boolean writesAsAnswer(GatewayError error) {
    return ResponseEnding.isTooLong(error);
  }

  @Override
  public EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options) {
    var response = new ResponseObject(reply, request, options.metadata(), clock);
    return new ResponsesStreamWriter(reply, response, options.debug());
  }

  @Override
  public JsonOutput document(
      Reply.Answered reply,
      InferenceRequest request,
      CollectedAnswer collectedAnswer,
      boolean metadata) {
    Answer answer = collectedAnswer.answer();
    Json.Obj source = collectedAnswer.source(Dialect.RESPONSES);
    var output = new ResponseOutput(reply.id(), OutputListener.NO_OP);
    new AnswerPartWriter(output, OutputListener.NO_OP).write(answer);
    ResponseEnding ending =
        collectedAnswer.failure() == null
            ? ResponseEnding.of(answer.stopReason(), output.hasRefusal())
            : ResponseEnding.of(collectedAnswer.failure());
    output.end(ending);
    Json.Obj body =
        new ResponseObject(reply, request, metadata, clock)
            .finalBody(ending, output.documents(), source, answer.usage());
    var out = new JsonOutput((source == null ? 0 : source.sourceLength()) + OWN_MEMBERS_BYTES);
    body.writeTo(out);
    return out;
  }
}
