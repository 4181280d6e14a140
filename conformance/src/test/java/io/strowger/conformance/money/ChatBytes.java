package io.strowger.conformance.money;

import io.strowger.conformance.money.ScriptedTransport.Step;
import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes the frames and documents that an upstream of the chat dialect sends. */
final class ChatBytes {
  private ChatBytes() {}

  static Step text(String text) {
    return frame(Json.object().put("content", text).build(), null);
  }

  static Step reasoning(String text) {
    return frame(Json.object().put("reasoning", text).build(), null);
  }

  static Step call(String arguments) {
    Json.Obj function = Json.object().put("name", "look").put("arguments", arguments).build();
    Json.Obj call =
        Json.object()
            .put("index", 0)
            .put("id", "call_1")
            .put("type", "function")
            .put("function", function)
            .build();
    return frame(Json.object().put("tool_calls", Json.array(call)).build(), null);
  }

  static Step citation(String address) {
    Json.Obj page = Json.object().put("url", address).build();
    Json.Obj citation = Json.object().put("type", "url_citation").put("url_citation", page).build();
    return frame(Json.object().put("annotations", Json.array(citation)).build(), null);
  }

  static Step finish(String reason) {
    return frame(Json.Obj.EMPTY, reason);
  }

  static Step usage(long prompt, long completion) {
    return data(
        Json.object()
            .put("id", "c")
            .put("object", "chat.completion.chunk")
            .put("choices", Json.array())
            .put("usage", counts(prompt, completion))
            .build());
  }

  static Json.Obj counts(long prompt, long completion) {
    return Json.object()
        .put("prompt_tokens", prompt)
        .put("completion_tokens", completion)
        .put("total_tokens", prompt + completion)
        .build();
  }

  static Step done() {
    return new Step.Send("data: [DONE]\n\n");
  }

  private static Step frame(Json.Obj delta, @Nullable String finish) {
    Json.Obj choice =
        Json.object()
            .put("index", 0)
            .put("delta", delta)
            .putOrNull("finish_reason", finish)
            .build();
    return data(
        Json.object()
            .put("id", "c")
            .put("object", "chat.completion.chunk")
            .put("created", 1)
            .put("model", "m")
            .put("choices", Json.array(choice))
            .build());
  }

  static Step data(Json.Obj frame) {
    return new Step.Send("data: " + json(frame) + "\n\n");
  }

  static String textOf(Step step) {
    return ((Step.Send) step).text();
  }

  /** Returns an answer that is one document. */
  static String document(Json.Obj message, String finish, Json.Obj usage) {
    Json.Obj choice =
        Json.object().put("index", 0).put("message", message).put("finish_reason", finish).build();
    return json(
        Json.object()
            .put("id", "c")
            .put("object", "chat.completion")
            .put("created", 1)
            .put("model", "m")
            .put("choices", Json.array(choice))
            .put("usage", usage)
            .build());
  }

  /** Returns the whole document: its {@code toString} would shorten a long one. */
  private static String json(Json.Obj document) {
    return new String(document.toBytes(), StandardCharsets.UTF_8);
  }
}
