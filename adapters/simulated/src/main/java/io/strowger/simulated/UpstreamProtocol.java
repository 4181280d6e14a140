package io.strowger.simulated;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.json.JsonSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One API of a simulated upstream, selected by the path of a request. A protocol defines the frames
 * of an answer and the malformed ones; the script decides on faults and their positions.
 *
 * <p>Stateless, safe on any thread.
 */
final class UpstreamProtocol {
  /** All APIs: the four dialects, and those of embeddings, sound, images and so on. */
  static final List<UpstreamProtocol> ALL =
      List.of(
          streamed("/chat/completions", AuxiliaryFrames.CHAT, SimulatedChatFrames::new),
          streamed("/messages", AuxiliaryFrames.MESSAGES, SimulatedMessagesFrames::new),
          tokenCounter("/messages/count_tokens", "input_tokens"),
          tokenCounter("/responses/input_tokens", "input_tokens"),
          tokenCounter(":countTokens", "totalTokens"),
          streamed("/responses", AuxiliaryFrames.RESPONSES, SimulatedResponsesFrames::new),
          document("/embeddings", SimulatedEmbeddings::parameter, SimulatedEmbeddings::document),
          new UpstreamProtocol(
              AuxiliaryFrames.AUDIO,
              parserFor(
                  "/audio/speech",
                  body -> parsedRequest(body, true, false, SimulatedSpeech.format(body))),
              SimulatedSpeech.ScriptedSpeech::new),
          document("/rerank", SimulatedRerank::parameter, SimulatedRerank::document),
          document(
              "/images/generations",
              body -> Long.toString(body.longValue("n", 1)),
              SimulatedImages::document),
          new UpstreamProtocol(
              AuxiliaryFrames.CHAT,
              SimulatedTranscriptions::parse,
              documentOnly(SimulatedTranscriptions::document)),
          new UpstreamProtocol(
              AuxiliaryFrames.GEMINI, SimulatedGeminiFrames::parse, SimulatedGeminiFrames::new));

  private final AuxiliaryFrames auxiliaryFrames;
  private final RequestParser parser;
  private final BiFunction<Script, ParsedRequest, AnswerFrames> answer;

  private UpstreamProtocol(
      AuxiliaryFrames auxiliaryFrames,
      RequestParser parser,
      BiFunction<Script, ParsedRequest, AnswerFrames> answer) {
    this.auxiliaryFrames = auxiliaryFrames;
    this.parser = parser;
    this.answer = answer;
  }

  /**
   * The parts of a request that determine the bytes of its answer, together with the script.
   *
   * @param model the requested model; empty when none is named
   * @param wantsUsage whether the request asks for usage in a stream; read by chat only
   * @param parameter the other values of the request that the answer depends on, as text that only
   *     the API reads
   */
  record ParsedRequest(String model, boolean streaming, boolean wantsUsage, String parameter) {}

  /** An answer as frames, each sent as one chunk of HTTP. */
  interface AnswerFrames {
    /** Returns the media type of a stream. */
    default String contentType() {
      return "text/event-stream";
    }

    /** Returns the answer as one document. */
    Json.Obj document();

    /** Returns the frames before the text; empty when the stream begins with the text. */
    default List<byte[]> opening() {
      return List.of(document().toBytes());
    }

    /** Returns a frame for each piece of the text. */
    default List<byte[]> text() {
      return List.of();
    }

    /** Returns the frames between the text and the ending: tool calls and the like. */
    default List<byte[]> betweenTextAndEnding() {
      return List.of();
    }

    /** Returns the frames with the stop reason, the usage and the end; empty if there are none. */
    default List<byte[]> ending() {
      return List.of();
    }
  }

  /** Reads a request; returns null when it is for another API or cannot be read. */
  private interface RequestParser {
    @Nullable ParsedRequest parse(ReceivedRequest request);
  }

  /** The bytes that an API sends besides answers. */
  private enum AuxiliaryFrames {
    CHAT(": SIMULATED PROCESSING\n\n", "data: {\"id\":\"chatcmpl-simulated\",\"choi\n\n", ""),
    MESSAGES(
        "event: ping\ndata: {\"type\":\"ping\"}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"ind\n\n",
        "event: error\n"),
    RESPONSES(
        ": SIMULATED PROCESSING\n\n",
        "event: response.output_text.delta\ndata: {\"type\":\"response.output_te\n\n",
        "event: error\n"),
    GEMINI(": SIMULATED PROCESSING\n\n", "data: {\"candidates\":[{\"conte\n\n", ""),
    /** Keeps a stream open with one sample; audio has no frames. */
    AUDIO("\0\0", "<html>simulated nonsense</html>", null);

    @SuppressWarnings("ImmutableEnumChecker") // never modified
    private final byte[] keepAlive;

    @SuppressWarnings("ImmutableEnumChecker") // never modified
    private final byte[] malformed;

    private final @Nullable String errorEventLine; // null: an error is sent without a frame

    AuxiliaryFrames(String keepAlive, String malformed, @Nullable String errorEventLine) {
      this.keepAlive = utf8(keepAlive);
      this.malformed = utf8(malformed);
      this.errorEventLine = errorEventLine;
    }
  }

  private static UpstreamProtocol streamed(
      String path,
      AuxiliaryFrames auxiliaryFrames,
      BiFunction<Script, ParsedRequest, AnswerFrames> answer) {
    return new UpstreamProtocol(
        auxiliaryFrames,
        parserFor(
            path,
            body ->
                parsedRequest(body, Json.TRUE.equals(body.get("stream")), wantsUsage(body), "")),
        answer);
  }

  /** Returns an API whose answers are never streamed. */
  private static UpstreamProtocol document(
      String path,
      Function<Json.Obj, String> parameter,
      BiFunction<Script, ParsedRequest, Json.Obj> document) {
    return new UpstreamProtocol(
        AuxiliaryFrames.CHAT,
        parserFor(path, body -> parsedRequest(body, false, false, parameter.apply(body))),
        documentOnly(document));
  }

  /** Returns an API that counts the tokens of a prompt: it answers the script's prompt tokens. */
  private static UpstreamProtocol tokenCounter(String path, String member) {
    return new UpstreamProtocol(
        AuxiliaryFrames.MESSAGES,
        parserFor(path, body -> parsedRequest(body, false, false, "")),
        documentOnly(
            (script, parsedRequest) -> Json.object().put(member, script.promptTokens()).build()));
  }

  private static RequestParser parserFor(String path, Function<Json.Obj, ParsedRequest> toRequest) {
    return request -> {
      Json.Obj body = request.path().endsWith(path) ? bodyOf(request) : null;
      return body == null ? null : toRequest.apply(body);
    };
  }

  /** Returns the body of a request; null when it is not an object. */
  static Json.@Nullable Obj bodyOf(ReceivedRequest request) {
    return Json.parseOrNull(request.text()) instanceof Json.Obj body ? body : null;
  }

  private static boolean wantsUsage(Json.Obj body) {
    Json.Obj options = body.object("stream_options");
    return options != null && Json.TRUE.equals(options.get("include_usage"));
  }

  private static ParsedRequest parsedRequest(
      Json.Obj body, boolean streaming, boolean wantsUsage, String parameter) {
    return new ParsedRequest(
        Objects.requireNonNullElse(body.text("model"), ""), streaming, wantsUsage, parameter);
  }

  private static BiFunction<Script, ParsedRequest, AnswerFrames> documentOnly(
      BiFunction<Script, ParsedRequest, Json.Obj> document) {
    return (script, parsedRequest) -> () -> document.apply(script, parsedRequest);
  }

  /** Returns the parsed request; null when it is for another API or cannot be read. */
  @Nullable ParsedRequest parseRequest(ReceivedRequest request) {
    return parser.parse(request);
  }

  AnswerFrames answer(Script script, ParsedRequest parsedRequest) {
    return answer.apply(script, parsedRequest);
  }

  /** Returns bytes that keep a stream open without content. */
  byte[] keepAlive() {
    return auxiliaryFrames.keepAlive;
  }

  /** Returns bytes that are not valid in an answer. */
  byte[] malformedFrame() {
    return auxiliaryFrames.malformed;
  }

  /** Returns a frame that reports an error in a stream. */
  byte[] errorFrame(String json) {
    return utf8(
        auxiliaryFrames.errorEventLine == null
            ? json
            : auxiliaryFrames.errorEventLine + "data: " + json + "\n\n");
  }

  /**
   * Returns an event of a stream.
   *
   * @param name null where the API's events have none
   */
  static byte[] frame(@Nullable String name, Json.Obj json) {
    var out = new JsonOutput(512);
    if (name != null) {
      out.ascii("event: " + name + "\n");
    }
    out.ascii("data: ");
    json.writeTo(out);
    out.ascii("\n\n");
    return out.toByteArray();
  }

  /** Returns the arguments as the script has them, well formed or not; they are never parsed. */
  static Json arguments(Script.ToolCall call) {
    byte[] bytes = call.arguments().getBytes(StandardCharsets.UTF_8);
    return bytes.length == 0
        ? Json.Obj.EMPTY
        : new JsonSource(bytes).object(0, bytes.length, new String[0], new Json[0]);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
