package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gemini dialect's documents for one script. Each frame of a stream is a partial answer and
 * contains the usage so far.
 */
final class SimulatedGeminiFrames implements UpstreamProtocol.AnswerFrames {
  private static final String MODELS = "/models/";
  private static final String GENERATE = "generateContent";
  private static final String STREAM_GENERATE = "streamGenerateContent";

  /** The value for a request for audio: the text is sent as samples. */
  private static final String AUDIO_PARAMETER = "sound";

  private static final String SIGNATURE = "c2ltdWxhdGVk";

  private final Script script;
  private final String model;
  private final boolean audio;

  SimulatedGeminiFrames(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    this.script = script;
    this.model = parsedRequest.model();
    this.audio = parsedRequest.parameter().equals(AUDIO_PARAMETER);
  }

  /**
   * Reads {@code POST .../models/MODEL:generateContent}, or {@code :streamGenerateContent}. The
   * address holds everything needed except whether the answer is audio.
   */
  static UpstreamProtocol.@Nullable ParsedRequest parse(ReceivedRequest request) {
    String path = request.path();
    int query = path.indexOf('?');
    String address = query < 0 ? path : path.substring(0, query);
    int models = address.lastIndexOf(MODELS);
    int colon = address.lastIndexOf(':');
    Json.Obj body = UpstreamProtocol.bodyOf(request);
    if (models < 0 || colon < models || body == null) {
      return null;
    }
    String action = address.substring(colon + 1);
    if (!action.equals(GENERATE) && !action.equals(STREAM_GENERATE)) {
      return null;
    }
    String model = address.substring(models + MODELS.length(), colon);
    Json.Obj generation = body.object("generationConfig");
    boolean audio = generation != null && generation.has("speechConfig");
    return new UpstreamProtocol.ParsedRequest(
        URLDecoder.decode(model, StandardCharsets.UTF_8),
        action.equals(STREAM_GENERATE),
        true,
        audio ? AUDIO_PARAMETER : "");
  }

  @Override
  public Json.Obj document() {
    var parts = new ArrayList<Json>(thoughtParts());
    if (!script.text().isEmpty() && !script.isRefusal()) {
      parts.add(textOrAudio(script.text()));
    }
    parts.addAll(toolCallParts());
    return answer(parts, true);
  }

  @Override
  public List<byte[]> opening() {
    List<Json> thoughts = thoughtParts();
    return List.of(frame(answer(thoughts.isEmpty() ? List.of(text("")) : thoughts, false)));
  }

  @Override
  public List<byte[]> text() {
    return SimulatedChatFrames.pieces(script.isRefusal() ? "" : script.text(), script.chunks())
        .stream()
        .map(piece -> frame(answer(List.of(textOrAudio(piece)), false)))
        .toList();
  }

  @Override
  public List<byte[]> betweenTextAndEnding() {
    List<Json> calls = toolCallParts();
    return calls.isEmpty() ? List.of() : List.of(frame(answer(calls, false)));
  }

  /** Returns a last frame without parts, as real upstreams send it after a call. */
  @Override
  public List<byte[]> ending() {
    return List.of(frame(answer(List.of(), true)));
  }

  private List<Json> thoughtParts() {
    String reasoning = script.reasoning();
    return reasoning == null
        ? List.of()
        : List.of(Json.object().put("text", reasoning).put("thought", true).build());
  }

  /** Returns the parts of all calls, for one frame; only the first is signed. */
  private List<Json> toolCallParts() {
    var parts = new ArrayList<Json>();
    for (Script.ToolCall call : script.toolCalls()) {
      Json.Obj.Builder function = Json.object();
      if (!call.id().isEmpty()) {
        function.put("id", call.id());
      }
      function.put("name", call.name()).put("args", UpstreamProtocol.arguments(call));
      Json.Obj.Builder part = Json.object().put("functionCall", function.build());
      if (parts.isEmpty() && script.reasoning() != null) {
        part.put("thoughtSignature", SIGNATURE);
      }
      parts.add(part.build());
    }
    return parts;
  }

  private Json textOrAudio(String words) {
    if (!audio) {
      return text(words);
    }
    byte[] samples = SimulatedSpeech.audio("pcm", words, 0);
    Json.Obj inline =
        Json.object()
            .put("mimeType", "audio/L16;codec=pcm;rate=24000")
            .put("data", Base64.getEncoder().encodeToString(samples))
            .build();
    return Json.object().put("inlineData", inline).build();
  }

  private static Json text(String text) {
    return Json.object().put("text", text).build();
  }

  private Json.Obj answer(List<Json> parts, boolean last) {
    Json.Obj.Builder candidate = Json.object();
    if (!parts.isEmpty()) {
      candidate.put(
          "content", Json.object().put("parts", Json.array(parts)).put("role", "model").build());
    }
    if (last) {
      candidate.put("finishReason", finishReason());
    }
    Json.Obj.Builder answer =
        Json.object().put("candidates", Json.array(candidate.put("index", 0).build()));
    if (script.usage() != Script.UsageStyle.NEVER) {
      answer.put("usageMetadata", usage(last));
    }
    return answer
        .put("modelVersion", model)
        .put("responseId", "simulated")
        .putAll(script.extras())
        .build();
  }

  private String finishReason() {
    if (script.isRefusal()) {
      return "SAFETY";
    }
    return switch (script.finishReason()) {
      case "stop", "tool_calls" -> "STOP";
      case "length" -> "MAX_TOKENS";
      case "content_filter" -> "SAFETY";
      default -> script.finishReason();
    };
  }

  private Json.Obj usage(boolean last) {
    int thoughtTokens = script.reasoningTokens();
    int outputTokens = last ? Math.max(0, script.completionTokens() - thoughtTokens) : 1;
    Json.Obj.Builder usage = Json.object().put("promptTokenCount", script.promptTokens());
    if (script.cachedTokens() > 0) {
      usage.put("cachedContentTokenCount", script.cachedTokens());
    }
    if (thoughtTokens > 0) {
      usage.put("thoughtsTokenCount", thoughtTokens);
    }
    if (audio) {
      Json.Obj audioTokens =
          Json.object().put("modality", "AUDIO").put("tokenCount", outputTokens).build();
      usage.put("candidatesTokensDetails", Json.array(audioTokens));
    }
    return usage
        .put("candidatesTokenCount", outputTokens)
        .put("totalTokenCount", (long) script.promptTokens() + thoughtTokens + outputTokens)
        .build();
  }

  private static byte[] frame(Json.Obj answer) {
    return UpstreamProtocol.frame(null, answer);
  }
}
