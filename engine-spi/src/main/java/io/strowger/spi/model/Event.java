package io.strowger.spi.model;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One step of an answer. Immutable. Exactly one of {@link Finished}, {@link Failed} and {@link
 * CompleteAnswer} ends a stream; every {@link UsageReport} comes before that event.
 *
 * <p>{@code frame} is the upstream's own JSON for this event, in the dialect the stream came in; it
 * is null in an event that was made or changed here. A frame belongs to one event: an adapter that
 * reads several events out of one frame splits the frame.
 */
public sealed interface Event {
  /**
   * Returns whether the event commits a stream: after it is passed on there is no fallback. An
   * empty piece of content does not commit.
   */
  default boolean isContent() {
    return switch (this) {
      case TextDelta t -> !t.text().isEmpty();
      case ReasoningDelta r -> !r.text().isEmpty();
      case ToolCallDelta t -> t.id() != null || t.name() != null || !t.arguments().isEmpty();
      case Annotation a -> a.body().size() > 0;
      case ReasoningSignature g -> true;
      case EncryptedReasoning n -> true;
      case RefusalDelta r -> !r.text().isEmpty();
      case AudioDelta s -> s.size() > 0;
      case Logprobs l -> false;
      case ServerToolRun r -> true;
      case OtherContent o -> o.frame().size() > 0;
      case CompleteAnswer w -> true;
      case Finished f -> true;
      case Started s -> false;
      case BlockStart b -> false;
      case BlockStop b -> false;
      case UsageReport u -> false;
      case UpstreamBodyEcho d -> false;
      case Failed f -> false;
    };
  }

  /** Returns whether this event ends the stream. */
  default boolean isTerminal() {
    return this instanceof Finished || this instanceof Failed || this instanceof CompleteAnswer;
  }

  /**
   * Reports that the upstream began to answer. Does not commit: another endpoint may still be
   * tried.
   */
  record Started(Json.@Nullable Obj frame) implements Event {}

  /**
   * More text.
   *
   * @param template the frame around the text; null when the event was made here
   */
  record TextDelta(Json.Str text, @Nullable FrameTemplate template) implements Event {
    public TextDelta(String text) {
      this(Json.of(text), null);
    }
  }

  /**
   * More of the model's reasoning.
   *
   * @param summary whether the text is part of a summary, not the model's own words
   * @param format as of {@link Part.Thinking}
   * @param id as of {@link Part.Thinking}
   * @param template as in a {@link TextDelta}
   */
  record ReasoningDelta(
      Json.Str text,
      boolean summary,
      @Nullable String format,
      @Nullable String id,
      @Nullable FrameTemplate template)
      implements Event {
    /** Creates a piece of the model's own words without a format and an id. */
    public ReasoningDelta(Json.Str text, @Nullable FrameTemplate template) {
      this(text, false, null, null, template);
    }
  }

  /**
   * A new piece of content begins. Only some dialects send it; it is not needed to understand what
   * follows, but preserves the upstream's separation into pieces. Does not commit.
   *
   * @param kind the kind of the content
   */
  record BlockStart(Kind kind, Json.@Nullable Obj frame) implements Event {
    /** The kind of content in a block. */
    public enum Kind {
      TEXT,
      REASONING,
      REFUSAL,
      TOOL_CALL
    }
  }

  /**
   * The piece of content that was open, if any, is complete. Does not commit. Several may follow
   * one another: in dialects that announce items and repeat their content at the end, every frame
   * without new content is one of these.
   */
  record BlockStop(Json.@Nullable Obj frame) implements Event {}

  /**
   * The signature of the reasoning that came just before, which may be empty.
   *
   * @param format as of {@link Part.Thinking}
   */
  record ReasoningSignature(Json.Str signature, @Nullable String format, Json.@Nullable Obj frame)
      implements Event {}

  /**
   * A complete piece of encrypted reasoning, which only its vendor can read.
   *
   * @param format as of {@link Part.Thinking}
   * @param id as of {@link Part.Thinking}
   */
  record EncryptedReasoning(
      Json.Str data, @Nullable String format, @Nullable String id, Json.@Nullable Obj frame)
      implements Event {}

  /** More of the model's refusal. */
  record RefusalDelta(Json.Str text, Json.@Nullable Obj frame) implements Event {}

  /**
   * More audio of a spoken answer, as received. Answers to requests for speech have no other
   * content, and other answers never have it.
   */
  final class AudioDelta implements Event {
    private final String contentType;
    private final byte[] bytes;

    private AudioDelta(String contentType, byte[] bytes) {
      this.contentType = contentType;
      this.bytes = bytes;
    }

    /**
     * Returns a piece of audio.
     *
     * @param contentType the media type of the whole answer, such as {@code audio/mpeg}
     * @param length the number of bytes to copy, from the first
     */
    public static AudioDelta of(String contentType, byte[] bytes, int length) {
      return new AudioDelta(
          Objects.requireNonNull(contentType, "contentType"), Arrays.copyOf(bytes, length));
    }

    /** Returns the media type of the whole answer; the same in each of its pieces. */
    public String contentType() {
      return contentType;
    }

    /** Returns the number of bytes, at least 0. */
    public int size() {
      return bytes.length;
    }

    /** Returns the byte at an index, as a value from 0 to 255. */
    public int octet(int index) {
      return bytes[index] & 0xff;
    }

    public void writeTo(OutputStream out) throws IOException {
      out.write(bytes);
    }

    @Override
    public String toString() {
      return "AudioDelta[" + contentType + ", " + bytes.length + " bytes]";
    }
  }

  /**
   * The log probabilities of the tokens of the preceding text, in dialects that send them in a
   * frame of their own. Items as in {@link Part.Logprobs}.
   */
  record Logprobs(Json.Arr content) implements Event {}

  /**
   * Reports that the gateway itself ran a tool. The calls that the caller has to make are {@link
   * ToolCallDelta}s.
   */
  record ServerToolRun(Part.ServerToolRun run) implements Event {}

  /**
   * More of a tool call.
   *
   * @param index the number of the call in the answer, from 0
   * @param id the id of the call, in its first piece; null in later pieces
   * @param name the name of the function, in the first piece; null in later pieces
   * @param arguments the next piece of the text of the arguments; may be empty
   */
  record ToolCallDelta(
      int index,
      @Nullable String id,
      @Nullable String name,
      Json.Str arguments,
      Json.@Nullable Obj frame)
      implements Event {}

  /**
   * An annotation of the preceding text, such as a citation.
   *
   * @param body the annotation in the chat dialect's form, as in {@link Part.Citation}
   */
  record Annotation(Json.Obj body, Json.@Nullable Obj frame) implements Event {}

  /**
   * Content of a type for which there is no other event. It is passed on within its dialect and
   * recorded as a loss in any other.
   */
  record OtherContent(Json.Obj frame) implements Event {}

  /** The total usage of the answer so far. A later report replaces an earlier one. */
  record UsageReport(Usage usage, Json.@Nullable Obj frame) implements Event {}

  /** The request body that was sent to the upstream, for a caller who asked for it. */
  record UpstreamBodyEcho(Json upstreamBody) implements Event {}

  /**
   * The answer is complete.
   *
   * @param nativeReason the upstream's own term for the reason; null when it gave none
   */
  record Finished(StopReason reason, @Nullable String nativeReason, Json.@Nullable Obj frame)
      implements Event {}

  /** The whole answer at once. */
  record CompleteAnswer(Answer answer) implements Event {}

  /**
   * The answer ends without being complete.
   *
   * @param error the error that the caller receives
   * @param cause what failed at the upstream; null when the failure is not the upstream's
   */
  record Failed(GatewayError error, @Nullable Failure cause) implements Event {
    public static Failed upstream(Failure cause) {
      return new Failed(cause.toError(), cause);
    }

    public @Nullable FailureKind kind() {
      return cause == null ? null : cause.kind();
    }

    public ErrorCode code() {
      return error.code();
    }
  }
}
