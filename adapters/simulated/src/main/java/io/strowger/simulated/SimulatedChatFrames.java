package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The chat dialect's documents for one script. */
final class SimulatedChatFrames implements UpstreamProtocol.AnswerFrames {
  private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final long CREATED = 1_700_000_000L;

  private final Script script;
  private final UpstreamProtocol.ParsedRequest parsedRequest;

  SimulatedChatFrames(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    this.script = script;
    this.parsedRequest = parsedRequest;
  }

  @Override
  public Json.Obj document() {
    Json.Obj.Builder message =
        Json.object()
            .put("role", "assistant")
            .put(
                "content",
                script.text().isEmpty() || script.isRefusal() ? Json.NULL : Json.of(script.text()));
    if (script.isRefusal()) {
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
    Json.Obj.Builder completion = envelope("chat.completion").put("choices", Json.array(choice));
    if (script.usage() != Script.UsageStyle.NEVER) {
      completion.put("usage", usage());
    }
    return completion.putAll(script.extras()).build();
  }

  /** Returns a frame with the role, and one with the whole reasoning if there is any. */
  @Override
  public List<byte[]> opening() {
    var frames = new ArrayList<byte[]>();
    frames.add(delta(Json.object().put("role", "assistant").put("content", "").build()));
    if (script.reasoning() != null) {
      frames.add(delta(Json.object().put("reasoning", script.reasoning()).build()));
    }
    return frames;
  }

  @Override
  public List<byte[]> text() {
    String member = script.isRefusal() ? "refusal" : "content";
    return pieces(script.text(), script.chunks()).stream()
        .map(piece -> delta(Json.object().put(member, piece).build()))
        .toList();
  }

  /** Splits a text into this many non-empty pieces, or fewer when it has fewer characters. */
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

  /** Returns each call as a first fragment with its name and two with its arguments. */
  @Override
  public List<byte[]> betweenTextAndEnding() {
    var frames = new ArrayList<byte[]>();
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

  @Override
  public List<byte[]> ending() {
    var frames = new ArrayList<byte[]>();
    Json.Obj finish = chunk(Json.Obj.EMPTY, Json.of(script.finishReason()));
    frames.add(
        frame(
            script.usage() == Script.UsageStyle.ON_FINISH
                ? finish.with("usage", usage())
                : finish));
    if (parsedRequest.wantsUsage() && script.usage() == Script.UsageStyle.WHEN_ASKED) {
      frames.add(
          frame(
              envelope("chat.completion.chunk")
                  .put("choices", Json.array())
                  .put("usage", usage())
                  .putAll(script.extras())
                  .build()));
    }
    frames.add(DONE);
    return frames;
  }

  private static Json.Obj.Builder call(Script.ToolCall call, String arguments) {
    return Json.object()
        .put("id", call.id())
        .put("type", "function")
        .put(
            "function", Json.object().put("name", call.name()).put("arguments", arguments).build());
  }

  private byte[] fragment(Json.Obj call) {
    return delta(Json.object().put("tool_calls", Json.array(call)).build());
  }

  private byte[] delta(Json.Obj delta) {
    return frame(chunk(delta, Json.NULL));
  }

  private static byte[] frame(Json.Obj chunk) {
    return UpstreamProtocol.frame(null, chunk);
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
        .put("model", parsedRequest.model())
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
