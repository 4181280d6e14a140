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
 * <p>Events that the engine does not model ({@link Event.UnmodelledContent}) are left out.
 */
public final class AnswerCollector {
  private final List<Part> parts = new ArrayList<>();
  private final Map<Integer, Call> calls = new TreeMap<>();
  private final StringBuilder open = new StringBuilder();
  private Open kind = Open.NOTHING;
  private @Nullable String format; // of the reasoning that is being collected
  private @Nullable String id;
  private @Nullable Usage usage;
  private @Nullable Answer whole;
  private @Nullable StopReason reason;
  private @Nullable String nativeReason;
  private Event.@Nullable Failed failed;

  /** The kind of text that is being collected. */
  private enum Open {
    NOTHING,
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
      case Event.TextDelta e -> append(Open.TEXT, e.text());
      case Event.ReasoningDelta e -> think(e);
      case Event.RefusalDelta e -> append(Open.REFUSAL, e.text());
      case Event.BlockStart e -> close();
      case Event.BlockStop e -> close();
      case Event.ReasoningSignature e -> sign(e);
      case Event.EncryptedReasoning e -> {
        close();
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
      case Event.ToolCallDelta e -> call(e);
      case Event.Annotation e -> beside(new Part.Citation(e.body(), null));
      case Event.Logprobs e -> beside(new Part.Logprobs(e.content()));
      case Event.ServerToolRun e -> beside(e.run());
      case Event.UsageReport e -> usage = e.usage();
      case Event.Finished e -> {
        reason = e.reason();
        nativeReason = e.nativeReason();
      }
      case Event.CompleteAnswer e -> whole = e.answer();
      case Event.Failed e -> failed = e;
      case Event.Started e -> {}
      case Event.UpstreamBodyEcho e -> {}
      case Event.UnmodelledContent e -> {}
      case Event.AudioDelta e -> {}
    }
  }

  /** Appends to the open text; a text of another kind closes it first. */
  private void append(Open more, Json.Str text) {
    if (kind != more) {
      close();
      kind = more;
    }
    open.append(text.text());
  }

  /** Adds reasoning; that of another item or vendor begins a new part. */
  private void think(Event.ReasoningDelta e) {
    if (!Objects.equals(id, e.id()) || !Objects.equals(format, e.format())) {
      close();
    }
    append(e.summary() ? Open.SUMMARY : Open.THOUGHT, e.text());
    format = e.format();
    id = e.id();
  }

  private void close() {
    Json.Str text = Json.of(open.toString());
    switch (kind) {
      case NOTHING -> {}
      case TEXT -> parts.add(new Part.Text(text, Json.Obj.EMPTY, null));
      case THOUGHT -> parts.add(thought(Part.Thinking.Kind.TEXT, text, null));
      case SUMMARY -> parts.add(thought(Part.Thinking.Kind.SUMMARY, text, null));
      case REFUSAL -> parts.add(new Part.Refusal(text, null));
    }
    forget();
  }

  /** Discards the open text and its attributes. */
  private void forget() {
    open.setLength(0);
    kind = Open.NOTHING;
    format = null;
    id = null;
  }

  private Part.Thinking thought(
      Part.Thinking.Kind of, Json.Str text, Json.@Nullable Str signature) {
    return new Part.Thinking(of, text, signature, format, id, Json.Obj.EMPTY, null);
  }

  /** Adds the signature to the reasoning before it, which may be empty. */
  private void sign(Event.ReasoningSignature e) {
    if (kind != Open.THOUGHT) {
      close();
    }
    format = e.format() == null ? format : e.format();
    parts.add(thought(Part.Thinking.Kind.TEXT, Json.of(open.toString()), e.signature()));
    forget();
  }

  /**
   * Adds a part, such as a citation, that ends the open text; text that follows becomes a new part.
   */
  private void beside(Part part) {
    close();
    parts.add(part);
  }

  private void call(Event.ToolCallDelta piece) {
    close();
    Call call = calls.computeIfAbsent(piece.index(), index -> new Call());
    call.id = piece.id() == null ? call.id : piece.id();
    call.name = piece.name() == null ? call.name : piece.name();
    call.arguments.append(piece.arguments().text());
  }

  /** Returns whether a terminal event was added, {@code Failed} included. */
  public boolean isEnded() {
    return whole != null || reason != null || failed != null;
  }

  /** Returns the failure; null when there was none. */
  public Event.@Nullable Failed failed() {
    return failed;
  }

  /**
   * Returns the answer so far, or that of a {@link Event.CompleteAnswer}. Its stop reason is {@link
   * StopReason#ERROR} until a terminal event gives another.
   *
   * @param dialect the dialect of a collected answer, which has no source; else unused
   */
  public Answer answer(Dialect dialect) {
    if (whole != null) {
      return whole;
    }
    close();
    var said = new ArrayList<>(parts);
    calls.values().forEach(call -> said.add(part(call)));
    return new Answer(
        said, reason == null ? StopReason.ERROR : reason, nativeReason, usage, dialect, null);
  }

  private static Part part(Call call) {
    return new Part.ToolCall(
        call.id, call.name, Json.of(call.arguments.toString()), Json.Obj.EMPTY, null);
  }
}
