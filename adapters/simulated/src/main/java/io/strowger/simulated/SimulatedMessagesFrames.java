package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages dialect's documents for one script: its reasoning, its text and its calls as blocks
 * in that order.
 */
final class SimulatedMessagesFrames implements UpstreamProtocol.AnswerFrames {
  private static final String SIGNATURE = "c2ltdWxhdGVk";

  private final Script script;
  private final String model;
  private final boolean hasReasoning;
  private final boolean hasText;

  SimulatedMessagesFrames(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    this.script = script;
    this.model = parsedRequest.model();
    this.hasReasoning = script.reasoning() != null;
    this.hasText = !script.text().isEmpty() && !script.isRefusal();
  }

  @Override
  public Json.Obj document() {
    var blocks = new ArrayList<Json>();
    if (hasReasoning) {
      blocks.add(thinking(reasoning(), SIGNATURE));
    }
    if (hasText) {
      blocks.add(text(script.text()));
    }
    for (Script.ToolCall call : script.toolCalls()) {
      blocks.add(call(call, UpstreamProtocol.arguments(call)));
    }
    return message(blocks, Json.of(stopReason()), usage(script.completionTokens())).build();
  }

  @Override
  public List<byte[]> opening() {
    var frames = new ArrayList<byte[]>();
    Json.Obj message = message(List.of(), Json.NULL, usage(1)).build();
    frames.add(frame(Json.object().put("type", "message_start").put("message", message).build()));
    if (hasReasoning) {
      frames.add(start(0, thinking("", "")));
      frames.add(delta(0, typed("thinking_delta").put("thinking", reasoning()).build()));
      frames.add(delta(0, typed("signature_delta").put("signature", SIGNATURE).build()));
      frames.add(stop(0));
    }
    if (hasText) {
      frames.add(start(textIndex(), text("")));
    }
    return frames;
  }

  @Override
  public List<byte[]> text() {
    return SimulatedChatFrames.pieces(hasText ? script.text() : "", script.chunks()).stream()
        .map(piece -> delta(textIndex(), typed("text_delta").put("text", piece).build()))
        .toList();
  }

  @Override
  public List<byte[]> betweenTextAndEnding() {
    var frames = new ArrayList<byte[]>();
    int index = textIndex();
    if (hasText) {
      frames.add(stop(index++));
    }
    for (Script.ToolCall call : script.toolCalls()) {
      frames.add(start(index, call(call, Json.Obj.EMPTY)));
      for (String piece : SimulatedChatFrames.pieces(call.arguments(), 2)) {
        frames.add(delta(index, typed("input_json_delta").put("partial_json", piece).build()));
      }
      frames.add(stop(index++));
    }
    return frames;
  }

  @Override
  public List<byte[]> ending() {
    Json.Obj.Builder delta =
        Json.object().put("stop_reason", stopReason()).put("stop_sequence", Json.NULL);
    addRefusalDetails(delta);
    Json.Obj.Builder last = typed("message_delta").put("delta", delta.build());
    if (script.usage() != Script.UsageStyle.NEVER) {
      last.put("usage", usage(script.completionTokens()));
    }
    return List.of(frame(last.build()), frame(typed("message_stop").build()));
  }

  private int textIndex() {
    return hasReasoning ? 1 : 0;
  }

  private String reasoning() {
    @Nullable String reasoning = script.reasoning();
    return reasoning == null ? "" : reasoning;
  }

  /** Adds the text of a refusal as {@code stop_details}, because it has no content block. */
  private void addRefusalDetails(Json.Obj.Builder ending) {
    if (script.isRefusal()) {
      ending.put(
          "stop_details",
          typed("refusal").put("category", Json.NULL).put("explanation", script.text()).build());
    }
  }

  private String stopReason() {
    if (script.isRefusal()) {
      return "refusal";
    }
    return switch (script.finishReason()) {
      case "stop" -> "end_turn";
      case "length" -> "max_tokens";
      case "tool_calls" -> "tool_use";
      case "content_filter" -> "refusal";
      default -> script.finishReason();
    };
  }

  private Json.Obj.Builder message(List<Json> content, Json stopReason, Json.Obj usage) {
    Json.Obj.Builder message =
        Json.object()
            .put("id", "msg_simulated")
            .put("type", "message")
            .put("role", "assistant")
            .put("model", model)
            .put("content", Json.array(content))
            .put("stop_reason", stopReason)
            .put("stop_sequence", Json.NULL);
    if (!stopReason.equals(Json.NULL)) {
      addRefusalDetails(message);
    }
    if (script.usage() != Script.UsageStyle.NEVER) {
      message.put("usage", usage);
    }
    return message.putAll(script.extras());
  }

  private Json.Obj usage(int output) {
    Json.Obj.Builder usage =
        Json.object()
            .put("input_tokens", Math.max(0, script.promptTokens() - script.cachedTokens()))
            .put("cache_creation_input_tokens", 0)
            .put("cache_read_input_tokens", script.cachedTokens())
            .put("output_tokens", output);
    if (script.reasoningTokens() > 0) {
      Json.Obj details = Json.object().put("thinking_tokens", script.reasoningTokens()).build();
      usage.put("output_tokens_details", details);
    }
    return usage.build();
  }

  private static Json.Obj thinking(String text, String signature) {
    return typed("thinking").put("thinking", text).put("signature", signature).build();
  }

  private static Json.Obj text(String text) {
    return typed("text").put("text", text).build();
  }

  private static Json.Obj call(Script.ToolCall call, Json input) {
    return typed("tool_use")
        .put("id", call.id())
        .put("name", call.name())
        .put("input", input)
        .build();
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }

  private static byte[] start(int index, Json.Obj block) {
    return frame(
        typed("content_block_start").put("index", index).put("content_block", block).build());
  }

  private static byte[] delta(int index, Json.Obj delta) {
    return frame(typed("content_block_delta").put("index", index).put("delta", delta).build());
  }

  private static byte[] stop(int index) {
    return frame(typed("content_block_stop").put("index", index).build());
  }

  private static byte[] frame(Json.Obj event) {
    return UpstreamProtocol.frame(event.text("type"), event);
  }
}
