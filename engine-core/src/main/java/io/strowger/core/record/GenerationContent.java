package io.strowger.core.record;

import io.strowger.core.record.FinishedRequest.TurnAttempt;
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

  static Json.Obj of(FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    var messages = new ArrayList<Json>();
    if (finishedRequest.sentRequest().instructions() instanceof Message instructions) {
      messages.add(message(instructions));
    }
    finishedRequest.sentRequest().messages().forEach(message -> messages.add(message(message)));
    return Json.object()
        .put("input", input(finishedRequest.sentRequest(), messages))
        .put("output", output(finishedRequest))
        .put("error", error(finishedRequest, ending))
        .build();
  }

  /** Returns the messages of a conversation, or the one prompt of any other request. */
  private static Json.Obj input(InferenceRequest sentRequest, List<Json> messages) {
    Json prompt = prompt(sentRequest);
    return prompt == null
        ? Json.object().put("messages", Json.array(messages)).build()
        : Json.object()
            .put("prompt", prompt instanceof Json.Str ? prompt : placeholder("input"))
            .build();
  }

  /** Returns the prompt of a request without a conversation; null when there is none. */
  static @Nullable Json prompt(InferenceRequest request) {
    return switch (request.kind()) {
      case CHAT -> null;
      case EMBEDDINGS, SPEECH -> request.members().get("input");
      case RERANK -> request.members().get("query");
      case IMAGES, TRANSCRIPTIONS -> request.members().get("prompt");
    };
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
      case Part.Text(Json.Str text, Json.Obj extras, Json source) ->
          parts.add(textPart("text", text));
      case Part.Refusal(Json.Str text, Json source) -> parts.add(textPart("refusal", text));
      case Part.Thinking thought -> {
        if (thought.kind() != Part.Thinking.Kind.ENCRYPTED) {
          parts.add(textPart("reasoning", thought.text()));
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
      case Part.Image p -> parts.add(placeholder("image"));
      case Part.Audio p -> parts.add(placeholder("audio"));
      case Part.Video p -> parts.add(placeholder("video"));
      case Part.File p -> parts.add(placeholder("file"));
      case Part.Unknown unknown -> parts.add(placeholder(unknown.type()));
      case Part.Citation p -> {}
      case Part.Logprobs p -> {}
      case Part.ServerToolRun p -> {}
    }
  }

  private static Json textPart(String type, Json.Str text) {
    return Json.object().put("type", type).put("text", text.text()).build();
  }

  /** Returns a placeholder for a part that is not kept. */
  private static Json placeholder(String type) {
    return Json.object().put("type", type).put("omitted", true).build();
  }

  private static Json.Obj output(FinishedRequest finishedRequest) {
    AnswerTranscript transcript = finishedRequest.transcript();
    String completion = transcript == null ? "" : transcript.text();
    String reasoning = transcript == null ? "" : transcript.reasoning();
    return Json.object()
        .putOrNull("completion", completion.isEmpty() ? null : completion)
        .putOrNull("reasoning", reasoning.isEmpty() ? null : reasoning)
        .build();
  }

  private static Json error(FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    ErrorCode code = ending.error();
    if (code == null) {
      return Json.NULL;
    }
    List<TurnAttempt> failedAttempts =
        finishedRequest.turnAttempts().stream()
            .filter(attempt -> attempt.traceEntry().failure() != null)
            .toList();
    var previous = failedAttempts.stream().<Json>map(GenerationContent::failure).toList();
    return Json.object()
        .put("message", code.message())
        .put("status", code.status())
        .putOrNull(
            "provider_name", failedAttempts.isEmpty() ? null : provider(failedAttempts.getLast()))
        .put("previous_errors", Json.array(previous))
        .put("raw", Json.NULL)
        .build();
  }

  private static Json failure(TurnAttempt attempt) {
    return Json.object()
        .putOrNull("provider_name", provider(attempt))
        .put("status", attempt.traceEntry().status())
        .put("kind", String.valueOf(attempt.traceEntry().failure()))
        .build();
  }

  private static @Nullable String provider(TurnAttempt attempt) {
    return attempt.endpoint() == null ? null : attempt.endpoint().provider().name();
  }
}
