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
  private static final String WHOLE = "generateContent";
  private static final String STREAM = "streamGenerateContent";

  /** The detail of a request for audio: the text is sent as samples. */
  private static final String SOUND = "sound";

  private static final String SIGNATURE = "c2ltdWxhdGVk";

  private final Script script;
  private final String model;
  private final boolean sound;

  SimulatedGeminiFrames(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    this.script = script;
    this.model = parsedRequest.model();
    this.sound = parsedRequest.detail().equals(SOUND);
  }

  /**
   * Reads {@code POST .../models/MODEL:generateContent}, or {@code :streamGenerateContent}. The
   * address holds everything needed except whether the answer is audio.
   */
  static UpstreamProtocol.@Nullable ParsedRequest asked(ReceivedRequest request) {
    String path = request.path();
    int query = path.indexOf('?');
    String place = query < 0 ? path : path.substring(0, query);
    int models = place.lastIndexOf(MODELS);
    int method = place.lastIndexOf(':');
    RequestScanner body = RequestScanner.of(request.body());
    if (models < 0 || method < models || body == null) {
      return null;
    }
    String called = place.substring(method + 1);
    if (!called.equals(WHOLE) && !called.equals(STREAM)) {
      return null;
    }
    String model = place.substring(models + MODELS.length(), method);
    String generation = body.member("generationConfig");
    boolean sound = generation != null && generation.contains("\"speechConfig\"");
    return new UpstreamProtocol.ParsedRequest(
        URLDecoder.decode(model, StandardCharsets.UTF_8),
        called.equals(STREAM),
        true,
        sound ? SOUND : "");
  }

  @Override
  public Json.Obj document() {
    var parts = new ArrayList<Json>(thoughts());
    if (!script.text().isEmpty() && !script.refused()) {
      parts.add(said(script.text()));
    }
    parts.addAll(calledParts());
    return answer(parts, true);
  }

  @Override
  public List<byte[]> opening() {
    List<Json> thoughts = thoughts();
    return List.of(frame(answer(thoughts.isEmpty() ? List.of(text("")) : thoughts, false)));
  }

  @Override
  public List<byte[]> text() {
    return SimulatedChatFrames.pieces(script.refused() ? "" : script.text(), script.chunks())
        .stream()
        .map(piece -> frame(answer(List.of(said(piece)), false)))
        .toList();
  }

  @Override
  public List<byte[]> calls() {
    List<Json> calls = calledParts();
    return calls.isEmpty() ? List.of() : List.of(frame(answer(calls, false)));
  }

  /** Returns a last frame without parts, as real upstreams send it after a call. */
  @Override
  public List<byte[]> ending() {
    return List.of(frame(answer(List.of(), true)));
  }

  private List<Json> thoughts() {
    String reasoning = script.reasoning();
    return reasoning == null
        ? List.of()
        : List.of(Json.object().put("text", reasoning).put("thought", true).build());
  }

  /** Returns the parts of all calls, for one frame; only the first is signed. */
  private List<Json> calledParts() {
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

  private Json said(String words) {
    if (!sound) {
      return text(words);
    }
    byte[] samples = SimulatedSpeech.sound("pcm", words, 0);
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
    if (script.refused()) {
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
    int thoughts = script.reasoningTokens();
    int said = last ? Math.max(0, script.completionTokens() - thoughts) : 1;
    Json.Obj.Builder usage = Json.object().put("promptTokenCount", script.promptTokens());
    if (script.cachedTokens() > 0) {
      usage.put("cachedContentTokenCount", script.cachedTokens());
    }
    if (thoughts > 0) {
      usage.put("thoughtsTokenCount", thoughts);
    }
    if (sound) {
      Json.Obj heard = Json.object().put("modality", "AUDIO").put("tokenCount", said).build();
      usage.put("candidatesTokensDetails", Json.array(heard));
    }
    return usage
        .put("candidatesTokenCount", said)
        .put("totalTokenCount", (long) script.promptTokens() + thoughts + said)
        .build();
  }

  private static byte[] frame(Json.Obj answer) {
    return UpstreamProtocol.frame(null, answer);
  }
}
