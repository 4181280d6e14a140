package io.strowger.core.encode;

import io.strowger.core.flow.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.util.ArrayList;

/**
 * An answer as one chat document. Chat fact sheet, section 7. An answer of the same format keeps
 * the upstream's document but for the members the gateway owns.
 */
public sealed interface ChatAnswer {
  /** Bytes the members of the gateway take, about. */
  int ROOM_FOR_OURS = 512;

  /** The body of a 200. */
  record Document(byte[] body) implements ChatAnswer {}

  /** Nothing was said before it failed. */
  record Nothing(GatewayError error) implements ChatAnswer {}

  /**
   * Reads an answer to its end and writes it down.
   *
   * @param metadata how the request was routed goes with it
   */
  static ChatAnswer read(Reply.Answered reply, boolean metadata) {
    Collected collected = Collected.from(reply.answer().events());
    GatewayError error = collected.error();
    if (error != null && !collected.saidAnything()) {
      return new Nothing(error);
    }
    var head = ChatHead.of(reply);
    Answer answer = collected.answer();
    Json.Obj source = answer.dialect() == Dialect.CHAT ? answer.source() : null;
    Json.Obj.Builder body = head.document("chat.completion");
    if (source != null) {
      copyUnowned(source, body);
    }
    if (source == null || !source.has("system_fingerprint")) {
      body.put("system_fingerprint", Json.NULL);
    }
    if (head.serviceTier() != null && (source == null || !source.has("service_tier"))) {
      body.put("service_tier", head.serviceTier());
    }
    body.put("choices", error == null ? choices(answer, collected) : broken(collected, error));
    Bill bill = reply.answer().bill();
    Usage used = bill == null ? answer.usage() : bill.usage();
    if (used != null) {
      body.put("usage", ChatUsage.of(used, bill, collected.upstreamUsage()));
    }
    if (metadata) {
      body.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    var out = new JsonOutput(source == null ? 1024 : source.sourceLength() + ROOM_FOR_OURS);
    body.build().writeTo(out);
    return new Document(out.toByteArray());
  }

  private static void copyUnowned(Json.Obj source, Json.Obj.Builder body) {
    for (int i = 0; i < source.size(); i++) {
      if (!ChatHead.OWNED.contains(source.name(i))) {
        body.put(source.name(i), source.value(i));
      }
    }
  }

  private static Json.Arr choices(Answer answer, Collected collected) {
    Json.Arr choices = choices(answer);
    Json.Obj besides = collected.besides();
    if (besides.size() == 0 || !(choices.get(0) instanceof Json.Obj choice)) {
      return choices;
    }
    Json.Obj message = choice.object("message");
    return message == null
        ? choices
        : choices.with(0, choice.with("message", joined(message, besides)));
  }

  private static Json.Obj joined(Json.Obj message, Json.Obj besides) {
    return Json.object().putAll(message).putAll(besides).build();
  }

  /** The choices of an answer: the upstream's when it is of this format, otherwise one. */
  static Json.Arr choices(Answer answer) {
    Json.Obj source = answer.dialect() == Dialect.CHAT ? answer.source() : null;
    Json.Arr choices = source == null ? null : source.list("choices");
    if (choices != null) {
      return ChatChoices.ended(named(choices), answer.stopReason(), answer.nativeReason());
    }
    return Json.array(
        choice(message(answer))
            .put("finish_reason", ChatChoices.finishReason(answer.stopReason()))
            .putOrNull("native_finish_reason", answer.nativeReason())
            .build());
  }

  private static Json.Arr named(Json.Arr choices) {
    Json.Arr renamed = choices;
    for (int i = 0; i < choices.size(); i++) {
      Json.Obj message =
          choices.get(i) instanceof Json.Obj choice ? choice.object("message") : null;
      if (message != null && ChatChoices.namedReasoning(message) != message) {
        Json.Obj choice = (Json.Obj) choices.get(i);
        renamed = renamed.with(i, choice.with("message", ChatChoices.namedReasoning(message)));
      }
    }
    return renamed;
  }

  /** What was said before it failed, and why it failed. */
  private static Json.Arr broken(Collected collected, GatewayError error) {
    return Json.array(
        choice(joined(message(collected.answer()), collected.besides()))
            .put("finish_reason", ChatChoices.finishReason(StopReason.ERROR))
            .put("native_finish_reason", Json.NULL)
            .put("error", ErrorBodies.inBand(error, collected.cause()))
            .build());
  }

  private static Json.Obj.Builder choice(Json.Obj message) {
    return Json.object().put("index", 0).put("logprobs", Json.NULL).put("message", message);
  }

  private static Json.Obj message(Answer answer) {
    var text = new StringBuilder();
    var calls = new ArrayList<Json>();
    var images = new ArrayList<Json>();
    Json.Obj.Builder besides = Json.object(); // members of the message nobody models
    for (Part part : answer.parts()) {
      switch (part) {
        case Part.Text t -> text.append(t.text().text());
        case Part.ToolCall call -> calls.add(toolCall(call));
        case Part.Image image ->
            images.add(
                Json.object()
                    .put("type", "image_url")
                    .put("image_url", Json.object().put("url", image.media().asUrl()).build())
                    .build());
        case Part.Audio a -> {}
        case Part.Video v -> {}
        case Part.File f -> {}
        case Part.ToolResult r -> {}
        case Part.Thinking t -> {}
        case Part.Refusal r -> {}
        case Part.Citation c -> {}
        case Part.Logprobs l -> {}
        case Part.ServerToolRun r -> {}
        case Part.Unknown unknown -> besides.put(unknown.type(), unknown.source());
      }
    }
    boolean onlyCalls = text.isEmpty() && !calls.isEmpty();
    Json.Obj.Builder message =
        Json.object()
            .put("role", "assistant")
            .putAll(besides.build())
            .putOrNull("content", onlyCalls ? null : text.toString());
    if (!calls.isEmpty()) {
      message.put("tool_calls", Json.array(calls));
    }
    if (!images.isEmpty()) {
      message.put("images", Json.array(images));
    }
    return message.build();
  }

  private static Json.Obj toolCall(Part.ToolCall call) {
    return Json.object()
        .put("id", call.id())
        .put("type", "function")
        .put(
            "function",
            Json.object()
                .put("name", call.name())
                .put("arguments", call.arguments().asString())
                .build())
        .build();
  }
}
