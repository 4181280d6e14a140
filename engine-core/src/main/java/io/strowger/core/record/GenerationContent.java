package io.strowger.core.record;

import io.strowger.core.record.FinishedRequest.Try;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the content of a request, for accounts that keep it: the text of the prompt as sent to
 * the provider, and that of the answer as the caller received it. Images, audio and documents are
 * left out. Resources fact sheet, section 7.
 */
final class GenerationContent {
  private GenerationContent() {}

  static Json.Obj of(FinishedRequest exchange, FinishedRequest.Ending how) {
    var messages = new ArrayList<Json>();
    if (exchange.sent().instructions() instanceof Message instructions) {
      messages.add(message(instructions));
    }
    exchange.sent().messages().forEach(message -> messages.add(message(message)));
    return Json.object()
        .put("input", input(exchange.sent(), messages))
        .put("output", output(exchange))
        .put("error", error(exchange, how))
        .build();
  }

  /** Returns the messages of a conversation, or the one prompt of any other request. */
  private static Json.Obj input(InferenceRequest sent, List<Json> messages) {
    Json said =
        switch (sent.kind()) {
          case CHAT -> null;
          case EMBEDDINGS, SPEECH -> sent.members().get("input");
          case RERANK -> sent.members().get("query");
          case IMAGES, TRANSCRIPTIONS -> sent.members().get("prompt");
        };
    return said == null
        ? Json.object().put("messages", Json.array(messages)).build()
        : Json.object().put("prompt", said instanceof Json.Str ? said : left("input")).build();
  }

  private static Json.Obj message(Message message) {
    var parts = new ArrayList<Json>();
    message.parts().forEach(part -> add(part, parts));
    return Json.object()
        .put("role", message.role().wireName())
        .put("content", Json.array(parts))
        .build();
  }

  private static void add(Part part, List<Json> parts) {
    switch (part) {
      case Part.Text(Json.Str text, Json.Obj extras, Json source) -> parts.add(said("text", text));
      case Part.Refusal(Json.Str text, Json source) -> parts.add(said("refusal", text));
      case Part.Thinking thought -> {
        if (thought.kind() != Part.Thinking.Kind.ENCRYPTED) {
          parts.add(said("reasoning", thought.text()));
        }
      }
      case Part.ToolCall call ->
          parts.add(
              Json.object()
                  .put("type", "tool_call")
                  .put("id", call.id())
                  .put("name", call.name())
                  .put("arguments", call.arguments().text())
                  .build());
      case Part.ToolResult result -> {
        var content = new ArrayList<Json>();
        result.content().forEach(inner -> add(inner, content));
        parts.add(
            Json.object()
                .put("type", "tool_result")
                .put("id", result.callId())
                .put("content", Json.array(content))
                .build());
      }
      case Part.Image p -> parts.add(left("image"));
      case Part.Audio p -> parts.add(left("audio"));
      case Part.Video p -> parts.add(left("video"));
      case Part.File p -> parts.add(left("file"));
      case Part.Unknown unknown -> parts.add(left(unknown.type()));
      case Part.Citation p -> {}
      case Part.Logprobs p -> {}
      case Part.ServerToolRun p -> {}
    }
  }

  private static Json said(String type, Json.Str text) {
    return Json.object().put("type", type).put("text", text.text()).build();
  }

  /** Returns a placeholder for a part that is not kept. */
  private static Json left(String type) {
    return Json.object().put("type", type).put("omitted", true).build();
  }

  private static Json.Obj output(FinishedRequest exchange) {
    AnswerTranscript heard = exchange.transcript();
    String completion = heard == null ? "" : heard.text();
    String reasoning = heard == null ? "" : heard.reasoning();
    return Json.object()
        .putOrNull("completion", completion.isEmpty() ? null : completion)
        .putOrNull("reasoning", reasoning.isEmpty() ? null : reasoning)
        .build();
  }

  private static Json error(FinishedRequest exchange, FinishedRequest.Ending how) {
    ErrorCode code = how.error();
    if (code == null) {
      return Json.NULL;
    }
    List<Try> failed =
        exchange.tries().stream().filter(one -> one.attempted().failure() != null).toList();
    var previous = failed.stream().<Json>map(GenerationContent::failure).toList();
    return Json.object()
        .put("message", code.message())
        .put("status", code.status())
        .putOrNull("provider_name", failed.isEmpty() ? null : provider(failed.getLast()))
        .put("previous_errors", Json.array(previous))
        .put("raw", Json.NULL)
        .build();
  }

  private static Json failure(Try one) {
    return Json.object()
        .putOrNull("provider_name", provider(one))
        .put("status", one.attempted().status())
        .put("kind", String.valueOf(one.attempted().failure()))
        .build();
  }

  private static @Nullable String provider(Try one) {
    return one.endpoint() == null ? null : one.endpoint().provider().name();
  }
}
