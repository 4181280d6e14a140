package io.strowger.core.dialect.chat;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.ErrorBodies;
import io.strowger.core.dialect.ObjectWriter;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer as one chat document. Chat fact sheet, section 7. An answer that came in the
 * chat dialect keeps the upstream's document except for the members that the gateway sets.
 */
final class ChatAnswerWriter {
  /** The approximate size of the gateway's members, in bytes. */
  private static final int OWN_MEMBERS_BYTES = 320;

  private static final String CHOICES = "choices";

  private ChatAnswerWriter() {}

  /**
   * @param metadata whether {@code router_metadata} is included
   */
  static JsonOutput write(Reply.Answered reply, CollectedAnswer collectedAnswer, boolean metadata) {
    var header = AnswerHeader.of(reply);
    Event.Failed failure = collectedAnswer.failure();
    Answer answer = collectedAnswer.answer();
    Json.Obj source = collectedAnswer.source(Dialect.CHAT);
    var out = new JsonOutput(source == null ? 1024 : source.sourceLength() + OWN_MEMBERS_BYTES);
    var body = new ObjectWriter(out);
    ChatHeaderMembers.write(header, "chat.completion", body);
    Json choices = failure == null ? choices(answer) : failedChoices(answer, failure);
    boolean hasChoices = source != null && copyOtherMembers(source, choices, body);
    if (source == null || !source.has("system_fingerprint")) {
      body.put("system_fingerprint", Json.NULL);
    }
    if (header.serviceTier() != null && (source == null || !source.has("service_tier"))) {
      body.put("service_tier", header.serviceTier());
    }
    if (!hasChoices) {
      body.put(CHOICES, choices);
    }
    Bill bill = reply.answer().bill();
    Usage usage = bill == null ? answer.usage() : bill.usage();
    if (usage != null) {
      ChatUsageWriter.write(
          usage, bill, upstreamUsage(source, collectedAnswer), body.object("usage"));
    }
    if (metadata) {
      body.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    body.end();
    return out;
  }

  /**
   * Copies the members that the gateway does not set, and writes {@code choices} at their place in
   * the source.
   *
   * @return whether the source has choices
   */
  private static boolean copyOtherMembers(Json.Obj source, Json choices, ObjectWriter body) {
    boolean hasChoices = false;
    for (int i = 0; i < source.size(); i++) {
      String name = source.name(i);
      if (name.equals(CHOICES)) {
        body.put(CHOICES, choices);
        hasChoices = true;
      } else if (!ChatHeaderMembers.GATEWAY_MEMBERS.contains(name)) {
        body.put(name, source.value(i));
      }
    }
    return hasChoices;
  }

  /** Returns the upstream's usage object; null when it gave none in this format. */
  private static Json.@Nullable Obj upstreamUsage(
      Json.@Nullable Obj source, CollectedAnswer collectedAnswer) {
    return ChatUsageWriter.upstreamUsage(source == null ? collectedAnswer.upstreamUsage() : source);
  }

  /** Returns the upstream's choices when they have this format, otherwise a single one. */
  static Json.Arr choices(Answer answer) {
    Json.Obj source = answer.dialect() == Dialect.CHAT ? answer.source() : null;
    Json.Arr choices = source == null ? null : source.list("choices");
    if (choices != null) {
      return ChatChoices.withFinishReason(
          withReadableReasoning(choices), answer.stopReason(), answer.nativeReason());
    }
    return Json.array(
        choice(answer)
            .put("finish_reason", ChatChoices.finishReason(callerStopReason(answer)))
            .putOrNull("native_finish_reason", answer.nativeReason())
            .build());
  }

  private static Json.Arr withReadableReasoning(Json.Arr choices) {
    Json.Arr result = choices;
    for (int i = 0; i < choices.size(); i++) {
      Json.Obj message =
          choices.get(i) instanceof Json.Obj choice ? choice.object("message") : null;
      Json.Obj readable = message == null ? null : ChatChoices.withReadableReasoning(message);
      if (readable != null && readable != message) {
        result = result.with(i, ((Json.Obj) choices.get(i)).with("message", readable));
      }
    }
    return result;
  }

  private static StopReason callerStopReason(Answer answer) {
    return ChatChoices.callerStopReason(
        answer.stopReason(), answer.parts().stream().anyMatch(Part.Refusal.class::isInstance));
  }

  /** Returns one choice with the text before the failure, and the error. */
  private static Json.Arr failedChoices(Answer answer, Event.Failed failure) {
    return Json.array(
        choice(answer)
            .put("finish_reason", ChatChoices.finishReason(StopReason.ERROR))
            .put("native_finish_reason", Json.NULL)
            .put("error", ErrorBodies.inBand(failure.error(), failure.cause()))
            .build());
  }

  private static Json.Obj.Builder choice(Answer answer) {
    var message = new ChatMessage(answer.parts());
    return Json.object()
        .put("index", 0)
        .put("logprobs", message.logprobs())
        .put("message", message.message());
  }
}
