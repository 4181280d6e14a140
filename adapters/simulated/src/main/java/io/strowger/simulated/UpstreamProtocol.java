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
 * One dialect, as a simulated upstream speaks it. How an answer goes wrong and when is not its
 * affair: it says what the pieces of an answer look like, and what nonsense would.
 *
 * <p>Threads: any number at once; it keeps nothing of a request.
 */
final class UpstreamProtocol {
  /** All there are; the path of a request says which one it is of. */
  static final List<UpstreamProtocol> ALL =
      List.of(
          streamed("/chat/completions", Noise.CHAT, SimulatedChatFrames::new),
          streamed("/messages", Noise.MESSAGES, SimulatedMessagesFrames::new),
          count("/messages/count_tokens", "input_tokens"),
          count("/responses/input_tokens", "input_tokens"),
          count(":countTokens", "totalTokens"),
          streamed("/responses", Noise.RESPONSES, SimulatedResponsesFrames::new),
          document("/embeddings", SimulatedEmbeddings::detail, SimulatedEmbeddings::document),
          new UpstreamProtocol(
              Noise.SOUND,
              of("/audio/speech", body -> asked(body, true, false, SimulatedSpeech.format(body))),
              SimulatedSpeech.ScriptedSpeech::new),
          document("/rerank", SimulatedRerank::detail, SimulatedRerank::document),
          document(
              "/images/generations",
              body -> Objects.requireNonNullElse(body.member("n"), "1"),
              SimulatedImages::document),
          new UpstreamProtocol(
              Noise.CHAT, SimulatedTranscriptions::asked, whole(SimulatedTranscriptions::document)),
          new UpstreamProtocol(
              Noise.GEMINI, SimulatedGeminiFrames::asked, SimulatedGeminiFrames::new));

  private final Noise noise;
  private final AskedReader reader;
  private final BiFunction<Script, Asked, Spoken> answer;

  private UpstreamProtocol(
      Noise noise, AskedReader reader, BiFunction<Script, Asked, Spoken> answer) {
    this.noise = noise;
    this.reader = reader;
    this.answer = answer;
  }

  /**
   * What has to be known of a request before it can be answered; all of it that shows in the
   * answer's bytes, besides the script.
   *
   * @param model empty when it named none
   * @param usageWanted the request asks for usage in a stream; true in dialects that always give it
   * @param detail whatever else shows, in words of the dialect
   */
  record Asked(String model, boolean streaming, boolean usageWanted, String detail) {}

  /** An answer, in pieces each of which goes out as one: frames as they are on the wire. */
  interface Spoken {
    /** The media type of a stream. */
    default String contentType() {
      return "text/event-stream";
    }

    /** The answer as one document. */
    Json.Obj document();

    /** What a stream begins with, up to its text; empty when it begins with that. */
    default List<byte[]> opening() {
      return List.of(document().toBytes());
    }

    /** A frame for each piece of the text. */
    default List<byte[]> text() {
      return List.of();
    }

    /** The calls, and whatever else comes behind the text before the end. */
    default List<byte[]> calls() {
      return List.of();
    }

    /** Why the answer ended, what it used, and the last frame; empty when nothing says so. */
    default List<byte[]> ending() {
      return List.of();
    }
  }

  /** Reads what was asked; null for a request of another dialect, or one nobody could answer. */
  private interface AskedReader {
    @Nullable Asked asked(ReceivedRequest request);
  }

  /** What is sent besides answers. */
  private enum Noise {
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
    /** Keeps open with one sample, and has no frames. */
    SOUND("\0\0", "<html>simulated nonsense</html>", null);

    @SuppressWarnings("ImmutableEnumChecker") // nobody is given it to write
    private final byte[] keepAlive;

    @SuppressWarnings("ImmutableEnumChecker") // nobody is given it to write
    private final byte[] broken;

    private final @Nullable String errorName;

    Noise(String keepAlive, String broken, @Nullable String errorName) {
      this.keepAlive = utf8(keepAlive);
      this.broken = utf8(broken);
      this.errorName = errorName;
    }
  }

  private static UpstreamProtocol streamed(
      String path, Noise noise, BiFunction<Script, Asked, Spoken> answer) {
    return new UpstreamProtocol(
        noise, of(path, body -> asked(body, body.streaming(), body.usageWanted(), "")), answer);
  }

  /** A dialect whose answers are never streamed. */
  private static UpstreamProtocol document(
      String path,
      Function<RequestScanner, String> detail,
      BiFunction<Script, Asked, Json.Obj> document) {
    return new UpstreamProtocol(
        Noise.CHAT,
        of(path, body -> asked(body, false, false, detail.apply(body))),
        whole(document));
  }

  /** A dialect's way to have a prompt counted: the prompt tokens of the script. */
  private static UpstreamProtocol count(String path, String member) {
    return new UpstreamProtocol(
        Noise.MESSAGES,
        of(path, body -> asked(body, false, false, "")),
        whole((script, asked) -> Json.object().put(member, script.promptTokens()).build()));
  }

  private static AskedReader of(String path, Function<RequestScanner, Asked> asked) {
    return request -> {
      RequestScanner body =
          request.path().endsWith(path) ? RequestScanner.of(request.body()) : null;
      return body == null ? null : asked.apply(body);
    };
  }

  private static Asked asked(
      RequestScanner body, boolean streaming, boolean usageWanted, String detail) {
    return new Asked(Objects.requireNonNullElse(body.model(), ""), streaming, usageWanted, detail);
  }

  private static BiFunction<Script, Asked, Spoken> whole(
      BiFunction<Script, Asked, Json.Obj> document) {
    return (script, asked) -> () -> document.apply(script, asked);
  }

  /** Null for a request of another dialect, told by its path, or one nobody could answer. */
  @Nullable Asked parseRequest(ReceivedRequest request) {
    return reader.asked(request);
  }

  Spoken answer(Script script, Asked asked) {
    return answer.apply(script, asked);
  }

  /** What keeps a stream open and says nothing. */
  byte[] keepAlive() {
    return noise.keepAlive;
  }

  /** A frame that breaks off inside its JSON. */
  byte[] broken() {
    return noise.broken;
  }

  /** A frame that reports an error in a stream. */
  byte[] error(String json) {
    return utf8(noise.errorName == null ? json : noise.errorName + "data: " + json + "\n\n");
  }

  /**
   * An event of a stream.
   *
   * @param name null where the dialect's events have none
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

  /** The arguments as the script has them, well formed or not: only ever written, never read. */
  static Json arguments(Script.ToolCall call) {
    byte[] written = call.arguments().getBytes(StandardCharsets.UTF_8);
    return written.length == 0
        ? Json.Obj.EMPTY
        : new JsonSource(written).object(0, written.length, new String[0], new Json[0]);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
