package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds one answer from the events of a stream: content in the order it came, then tool calls by
 * their index. Not thread-safe.
 *
 * <p>Audio and content without a typed form ({@link Event.OtherContent}) are left out.
 */
public final class AnswerCollector {
  private final List<Part> parts = new ArrayList<>();
  private final Map<Integer, Call> calls = new TreeMap<>();
  private final StringBuilder openText = new StringBuilder();
  private OpenKind openKind = OpenKind.NONE;
  private @Nullable String format; // of the reasoning that is being collected
  private @Nullable String id;
  private @Nullable Usage usage;
  private @Nullable Answer completeAnswer;
  private @Nullable StopReason reason;
  private @Nullable String nativeReason;
  private Event.@Nullable Failed failure;

  /** The kind of text that is being collected. */
  private enum OpenKind {
    NONE,
    TEXT,
    THOUGHT,
    SUMMARY,
    REFUSAL
  }

  /** A tool call while its pieces arrive. */
  private static final class Call {
    private String id = "";
    private String name = "";
    private final StringBuilder arguments = new StringBuilder();
  }

  public void add(Event event) {
    switch (event) {
      case Event.TextDelta e -> append(OpenKind.TEXT, e.text());
      case Event.ReasoningDelta e -> addReasoning(e);
      case Event.RefusalDelta e -> append(OpenKind.REFUSAL, e.text());
      case Event.BlockStart e -> closeOpenText();
      case Event.BlockStop e -> closeOpenText();
      case Event.ReasoningSignature e -> addSignature(e);
      case Event.EncryptedReasoning e -> {
        closeOpenText();
        parts.add(
            new Part.Thinking(
                Part.Thinking.Kind.ENCRYPTED,
                e.data(),
                null,
                e.format(),
                e.id(),
                Json.Obj.EMPTY,
                null));
      }
      case Event.ToolCallDelta e -> addToolCall(e);
      case Event.Annotation e -> addSeparatePart(new Part.Citation(e.body(), null));
      case Event.Logprobs e -> addSeparatePart(new Part.Logprobs(e.content()));
      case Event.ServerToolRun e -> addSeparatePart(e.run());
      case Event.UsageReport e -> usage = e.usage();
      case Event.Finished e -> {
        reason = e.reason();
        nativeReason = e.nativeReason();
      }
      case Event.CompleteAnswer e -> completeAnswer = e.answer();
      case Event.Failed e -> failure = e;
      case Event.Started e -> {}
      case Event.UpstreamBodyEcho e -> {}
      case Event.OtherContent e -> {}
      case Event.AudioDelta e -> {}
    }
  }

  /** Appends to the open text. A piece of another kind closes the open text first. */
  private void append(OpenKind newKind, Json.Str text) {
    if (openKind != newKind) {
      closeOpenText();
      openKind = newKind;
    }
    openText.append(text.text());
  }

  /** Adds reasoning; that of another item or vendor begins a new part. */
  private void addReasoning(Event.ReasoningDelta e) {
    if (!Objects.equals(id, e.id()) || !Objects.equals(format, e.format())) {
      closeOpenText();
    }
    append(e.summary() ? OpenKind.SUMMARY : OpenKind.THOUGHT, e.text());
    format = e.format();
    id = e.id();
  }

  private void closeOpenText() {
    Json.Str text = Json.of(openText.toString());
    switch (openKind) {
      case NONE -> {}
      case TEXT -> parts.add(new Part.Text(text, Json.Obj.EMPTY, null));
      case THOUGHT -> parts.add(thinkingPart(Part.Thinking.Kind.TEXT, text, null));
      case SUMMARY -> parts.add(thinkingPart(Part.Thinking.Kind.SUMMARY, text, null));
      case REFUSAL -> parts.add(new Part.Refusal(text, null));
    }
    clearOpenText();
  }

  /** Discards the open text and its attributes. */
  private void clearOpenText() {
    openText.setLength(0);
    openKind = OpenKind.NONE;
    format = null;
    id = null;
  }

  private Part.Thinking thinkingPart(
      Part.Thinking.Kind kind, Json.Str text, Json.@Nullable Str signature) {
    return new Part.Thinking(kind, text, signature, format, id, Json.Obj.EMPTY, null);
  }

  /** Adds the signature to the reasoning before it, which may be empty. */
  private void addSignature(Event.ReasoningSignature e) {
    if (openKind != OpenKind.THOUGHT) {
      closeOpenText();
    }
    format = e.format() == null ? format : e.format();
    parts.add(thinkingPart(Part.Thinking.Kind.TEXT, Json.of(openText.toString()), e.signature()));
    clearOpenText();
  }

  /**
   * Adds a part, such as a citation, that ends the open text; text that follows becomes a new part.
   */
  private void addSeparatePart(Part part) {
    closeOpenText();
    parts.add(part);
  }

  private void addToolCall(Event.ToolCallDelta piece) {
    closeOpenText();
    Call call = calls.computeIfAbsent(piece.index(), index -> new Call());
    call.id = piece.id() == null ? call.id : piece.id();
    call.name = piece.name() == null ? call.name : piece.name();
    call.arguments.append(piece.arguments().text());
  }

  /** Returns whether a terminal event was added, {@code Failed} included. */
  public boolean isEnded() {
    return completeAnswer != null || reason != null || failure != null;
  }

  /** Returns the failure; null when there was none. */
  public Event.@Nullable Failed failure() {
    return failure;
  }

  /**
   * Returns the answer so far, or that of a {@link Event.CompleteAnswer}. Its stop reason is {@link
   * StopReason#ERROR} until a terminal event gives another.
   *
   * @param dialect the dialect of an answer that is built here, which has no source; ignored for
   *     that of a {@code CompleteAnswer}
   */
  public Answer answer(Dialect dialect) {
    if (completeAnswer != null) {
      return completeAnswer;
    }
    closeOpenText();
    var answerParts = new ArrayList<>(parts);
    calls.values().forEach(call -> answerParts.add(part(call)));
    return new Answer(
        answerParts,
        reason == null ? StopReason.ERROR : reason,
        nativeReason,
        usage,
        dialect,
        null);
  }

  private static Part part(Call call) {
    return new Part.ToolCall(
        call.id, call.name, Json.of(call.arguments.toString()), Json.Obj.EMPTY, null);
  }
}
