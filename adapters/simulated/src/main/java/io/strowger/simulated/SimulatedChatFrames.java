package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;

/** The chat dialect's documents for one script. */
final class SimulatedChatFrames {
  private static final long CREATED = 1_700_000_000L;

  private final Script script;
  private final String model;

  SimulatedChatFrames(Script script, String model) {
    this.script = script;
    this.model = model;
  }

  /** The whole answer. */
  Json.Obj completion() {
    Json.Obj.Builder message =
        Json.object()
            .put("role", "assistant")
            .put(
                "content",
                script.text().isEmpty() || script.refused() ? Json.NULL : Json.of(script.text()));
    if (script.refused()) {
      message.put("refusal", script.text());
    }
    if (script.reasoning() != null) {
      message.put("reasoning", script.reasoning());
    }
    if (!script.toolCalls().isEmpty()) {
      var calls = new ArrayList<Json>();
      script.toolCalls().forEach(call -> calls.add(call(call, call.arguments()).build()));
      message.put("tool_calls", Json.array(calls));
    }
    Json.Obj choice =
        Json.object()
            .put("index", 0)
            .put("message", message.build())
            .put("logprobs", Json.NULL)
            .put("finish_reason", script.finishReason())
            .build();
    Json.Obj.Builder all = envelope("chat.completion").put("choices", Json.array(choice));
    if (script.usage() != Script.UsageStyle.NEVER) {
      all.put("usage", usage());
    }
    return all.putAll(script.extras()).build();
  }

  Json.Obj role() {
    return chunk(Json.object().put("role", "assistant").put("content", "").build(), Json.NULL);
  }

  /** A frame for each piece of the text. */
  List<Json.Obj> content() {
    String member = script.refused() ? "refusal" : "content";
    return pieces(script.text(), script.chunks()).stream()
        .map(piece -> chunk(Json.object().put(member, piece).build(), Json.NULL))
        .toList();
  }

  /** A text in so many pieces, none of them empty; in fewer when it has not as many characters. */
  static List<String> pieces(String text, int count) {
    int[] points = text.codePoints().toArray();
    var pieces = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) points.length * i / count);
      int to = (int) ((long) points.length * (i + 1) / count);
      if (from < to) {
        pieces.add(new String(points, from, to - from));
      }
    }
    return pieces;
  }

  /** The reasoning, in one piece. */
  List<Json.Obj> reasoning() {
    String reasoning = script.reasoning();
    return reasoning == null
        ? List.of()
        : List.of(chunk(Json.object().put("reasoning", reasoning).build(), Json.NULL));
  }

  /** Each call as a first fragment with its name and two with its arguments. */
  List<Json.Obj> calls() {
    var frames = new ArrayList<Json.Obj>();
    for (int i = 0; i < script.toolCalls().size(); i++) {
      Script.ToolCall call = script.toolCalls().get(i);
      frames.add(fragment(call(call, "").put("index", i).build()));
      int half = call.arguments().length() / 2;
      for (String part :
          List.of(call.arguments().substring(0, half), call.arguments().substring(half))) {
        Json.Obj function = Json.object().put("arguments", part).build();
        frames.add(fragment(Json.object().put("index", i).put("function", function).build()));
      }
    }
    return frames;
  }

  Json.Obj finish() {
    Json.Obj frame = chunk(Json.Obj.EMPTY, Json.of(script.finishReason()));
    return script.usage() == Script.UsageStyle.ON_FINISH ? frame.with("usage", usage()) : frame;
  }

  Json.Obj usageFrame() {
    return envelope("chat.completion.chunk")
        .put("choices", Json.array())
        .put("usage", usage())
        .putAll(script.extras())
        .build();
  }

  private static Json.Obj.Builder call(Script.ToolCall call, String arguments) {
    return Json.object()
        .put("id", call.id())
        .put("type", "function")
        .put(
            "function", Json.object().put("name", call.name()).put("arguments", arguments).build());
  }

  private Json.Obj fragment(Json.Obj call) {
    return chunk(Json.object().put("tool_calls", Json.array(call)).build(), Json.NULL);
  }

  private Json.Obj chunk(Json.Obj delta, Json finishReason) {
    Json.Obj choice =
        Json.object()
            .put("index", 0)
            .put("delta", delta)
            .put("logprobs", Json.NULL)
            .put("finish_reason", finishReason)
            .build();
    return envelope("chat.completion.chunk")
        .put("choices", Json.array(choice))
        .putAll(script.extras())
        .build();
  }

  private Json.Obj.Builder envelope(String object) {
    return Json.object()
        .put("id", "chatcmpl-simulated")
        .put("object", object)
        .put("created", CREATED)
        .put("model", model)
        .put("system_fingerprint", "fp_simulated");
  }

  private Json.Obj usage() {
    return Json.object()
        .put("prompt_tokens", script.promptTokens())
        .put("completion_tokens", script.completionTokens())
        .put("total_tokens", (long) script.promptTokens() + script.completionTokens())
        .put(
            "prompt_tokens_details",
            Json.object().put("cached_tokens", script.cachedTokens()).build())
        .put(
            "completion_tokens_details",
            Json.object().put("reasoning_tokens", script.reasoningTokens()).build())
        .build();
  }
}
