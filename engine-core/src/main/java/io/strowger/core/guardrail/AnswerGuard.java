package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Scans one answer as it arrives. Text, reasoning, refusals and tool arguments are each scanned as
 * one text, however they are split into events. Names and ids of calls, citations, tool results and
 * errors are each scanned separately. Only text that may still become a match is held back. If a
 * rule redacts or blocks, the answer is rewritten from the typed values of the engine: the
 * upstream's own frames and documents are not passed on, since they may repeat what was redacted.
 * If all rules only flag, everything passes unchanged.
 *
 * <p>Content of another kind interrupts a text. If the text continues later, a match that spans the
 * interruption blocks the answer. Confined to one thread.
 */
final class AnswerGuard {
  private static final GuardedText.ReplaceableRanges EVERYWHERE = (start, end) -> true;
  private static final int MAX_WAITING = 2 * TextScanner.MAX_HELD;

  /** Upper bound on the texts of an answer: one for each kind and one for each tool call. */
  private static final int MAX_TEXTS = 512;

  private final List<FilterRule> rules;
  private final Set<String> declared;
  private final boolean enforcing;
  private final Findings findings = new Findings();
  private final WholeTexts single;
  private final Map<Channel, Text> texts = new HashMap<>();
  private @Nullable Text current;
  private boolean blocked;

  /** Identifies the text of an answer that a fragment belongs to. */
  private record Channel(Kind kind, @Nullable String id, int index) {}

  private enum Kind {
    TEXT,
    REASONING,
    SUMMARY,
    REFUSAL,
    ARGUMENTS
  }

  /** A text and, for tool arguments, the JSON escapes it is written with. */
  private static final class Text {
    private final GuardedText guarded;
    private final @Nullable JsonEscapes escapes;
    private boolean changed;

    Text(GuardedText guarded, @Nullable JsonEscapes escapes) {
      this.guarded = guarded;
      this.escapes = escapes;
    }
  }

  /**
   * An event or part that waits until the text before it is decided.
   *
   * @param text the text that it is a fragment of; null for other content
   * @param to the offset in the text at which the fragment ends
   * @param make creates the output from the redacted fragment, which is empty for other content
   */
  private record Waiting<T>(@Nullable Text text, int to, Function<String, @Nullable T> make) {}

  /**
   * @param declared the names of the request's tools, which are passed on unchecked
   */
  AnswerGuard(List<FilterRule> rules, Set<String> declared) {
    this.rules = rules;
    this.declared = declared;
    this.single = new WholeTexts(rules, findings);
    this.enforcing = rules.stream().anyMatch(rule -> rule.action() != FilterAction.FLAG);
  }

  /** Returns whether a rule can hold back or change content; false if all rules only flag. */
  boolean isEnforcing() {
    return enforcing;
  }

  Findings findings() {
    return findings;
  }

  /** Returns whether the answer is blocked, so that nothing more may be passed on. */
  boolean isStopped() {
    return blocked || findings.blocked();
  }

  /** Creates the guard of a stream's events, which passes them on to {@code out}. */
  Events events(Consumer<Event> out) {
    return new Events(out);
  }

  private Text text(Channel channel) {
    if (texts.size() >= MAX_TEXTS && !texts.containsKey(channel)) {
      if (enforcing) {
        blocked = true; // a discarded text may continue, and its beginning would be unknown
      } else {
        endAll();
        texts.clear();
      }
    }
    return texts.computeIfAbsent(
        channel,
        key -> {
          JsonEscapes escapes = key.kind() == Kind.ARGUMENTS ? new JsonEscapes() : null;
          return new Text(
              new GuardedText(rules, findings, escapes == null ? EVERYWHERE : escapes), escapes);
        });
  }

  /** The queue of an answer's events or parts that are not passed on yet. */
  private final class OutputQueue<T> {
    private final Deque<Waiting<T>> waiting = new ArrayDeque<>();
    private final Consumer<T> out;

    OutputQueue(Consumer<T> out) {
      this.out = out;
    }

    void piece(Channel channel, String piece, Function<String, @Nullable T> make) {
      Text text = text(channel);
      turnTo(text);
      JsonEscapes escapes = text.escapes;
      add(text, escapes == null ? piece : escapes.read(piece, false), make);
    }

    private void add(Text text, String piece, Function<String, @Nullable T> make) {
      if (piece.isEmpty()) {
        return;
      }
      text.guarded.append(piece);
      waiting.add(new Waiting<>(text, text.guarded.length(), make));
      see(text);
    }

    /**
     * Switches to a text, or to other content if null, and decides the matches of the previous text
     * as it stands.
     */
    void turnTo(@Nullable Text text) {
      Text before = current;
      if (before != null && before != text) {
        before.guarded.pause();
        see(before);
        flush();
      }
      current = text;
    }

    /** Queues content that is not text. */
    void other(Function<String, @Nullable T> make) {
      if (waiting.size() >= MAX_WAITING) {
        turnTo(null);
      }
      waiting.add(new Waiting<>(null, 0, make));
    }

    /** Ends all texts and passes on all waiting content. */
    void end() {
      for (Text text : texts.values()) {
        JsonEscapes escapes = text.escapes;
        if (escapes != null) {
          text.guarded.append(escapes.read("", true));
        }
        text.guarded.end();
        see(text);
      }
      flush();
    }

    void flush() {
      if (isStopped()) {
        waiting.clear();
      }
      while (!waiting.isEmpty()) {
        Waiting<T> head = waiting.peek();
        Text text = head.text();
        int to = text == null ? 0 : end(head, text);
        String rest = text == null ? "" : released(text, to);
        if (text == null || !rest.isEmpty()) {
          T made = head.make().apply(rest);
          if (made != null) {
            out.accept(made);
          }
        }
        if (text != null && text.guarded.released() < to) {
          return;
        }
        waiting.poll();
      }
    }

    /**
     * Returns the offset at which a fragment ends. The last fragment includes an incomplete escape;
     * a split surrogate pair belongs to the later of two fragments.
     */
    private int end(Waiting<T> head, Text text) {
      if (text.escapes != null && waiting.peekLast() == head) {
        return text.guarded.length();
      }
      return text.guarded.isInsidePair(head.to()) ? head.to() - 1 : head.to();
    }
  }

  private void see(Text text) {
    blocked |= text.guarded.isBlocked();
  }

  /** Releases the decided part of a text up to an offset, and returns it with matches replaced. */
  private String released(Text text, int most) {
    int to = Math.min(most, text.guarded.decided());
    if (to <= text.guarded.released()) {
      return "";
    }
    var piece = new StringBuilder();
    JsonEscapes escapes = text.escapes;
    text.guarded.release(
        to,
        new GuardedText.Output() {
          @Override
          public void text(String said, int from) {
            piece.append(escapes == null ? said : escapes.written(from, from + said.length()));
          }

          @Override
          public void label(String label) {
            piece.append(escapes == null ? label : JsonEscapes.label(label));
            text.changed = true;
          }
        });
    if (escapes != null) {
      escapes.forget(text.guarded.released());
    }
    return piece.toString();
  }

  /** The events of a stream that are not passed on yet. */
  final class Events {
    private final OutputQueue<Event> outputQueue;
    private final TokenTexts tokens = new TokenTexts(rules, findings);
    private boolean tainted; // some of the tokens must not be passed on

    Events(Consumer<Event> out) {
      outputQueue = new OutputQueue<>(out);
    }

    /**
     * Adds the next event of the answer, which must not be terminal, and passes on the content that
     * is decided. Passes on nothing more once the guard has stopped.
     */
    void take(Event event) {
      switch (event) {
        case Event.TextDelta e -> said(Kind.TEXT, null, e.text(), Event.TextDelta::new);
        case Event.RefusalDelta e ->
            said(
                Kind.REFUSAL,
                null,
                e.text(),
                piece -> new Event.RefusalDelta(Json.of(piece), null));
        case Event.ReasoningDelta e -> {
          String format = single.word(e.format());
          String id = single.id(e.id());
          said(
              e.summary() ? Kind.SUMMARY : Kind.REASONING,
              null,
              e.text(),
              piece -> new Event.ReasoningDelta(Json.of(piece), e.summary(), format, id, null));
        }
        case Event.ToolCallDelta e -> called(e);
        case Event.Started e -> outputQueue.other(none -> new Event.Started(null));
        case Event.BlockStart e -> outputQueue.other(none -> new Event.BlockStart(e.kind(), null));
        case Event.BlockStop e -> outputQueue.other(none -> new Event.BlockStop(null));
        case Event.ReasoningSignature e -> {
          String format = single.word(e.format());
          outputQueue.other(
              none ->
                  isChanged(Kind.REASONING)
                      ? null
                      : new Event.ReasoningSignature(e.signature(), format, null));
        }
        case Event.EncryptedReasoning e -> {
          var one =
              new Event.EncryptedReasoning(
                  e.data(), single.word(e.format()), single.id(e.id()), null);
          outputQueue.other(none -> one);
        }
        case Event.Logprobs e -> {
          tainted |= !single.json(e.content()).equals(e.content());
          tokens.take(e, this::queueLogprobs);
        }
        case Event.Annotation e -> {
          Json.Obj body = single.json(e.body());
          outputQueue.other(none -> new Event.Annotation(body, null));
        }
        case Event.ServerToolRun e -> {
          Part.ServerToolRun run = redacted(e.run());
          outputQueue.other(none -> new Event.ServerToolRun(run));
        }
        case Event.UnmodelledContent e -> {} // dropped, since it cannot be scanned
        case Event.AudioDelta e -> {} // dropped for the same reason
        case Event.UsageReport e ->
            outputQueue.other(none -> new Event.UsageReport(e.usage(), null));
        // repeats the request, whose matches are no findings of the answer
        case Event.UpstreamBodyEcho e -> {
          Json body = WholeTexts.replacing(rules, new Findings()).json(e.upstreamBody());
          outputQueue.other(none -> new Event.UpstreamBodyEcho(body));
        }
        case Event.Finished e -> throw new IllegalArgumentException("an end");
        case Event.Failed e -> throw new IllegalArgumentException("an end");
        case Event.CompleteAnswer e -> throw new IllegalArgumentException("an end");
      }
      outputQueue.flush();
    }

    /** Queues logprobs; they are dropped if one of the tokens or the text was redacted. */
    private void queueLogprobs(Event.Logprobs one) {
      boolean same = !tainted;
      outputQueue.other(none -> same && !isChanged(Kind.TEXT) ? one : null);
    }

    private void said(
        Kind kind, @Nullable String id, Json.Str text, Function<String, @Nullable Event> make) {
      outputQueue.piece(new Channel(kind, id, 0), text.text(), make);
    }

    private void called(Event.ToolCallDelta call) {
      var channel = new Channel(Kind.ARGUMENTS, null, call.index());
      if (call.id() != null || call.name() != null) {
        String id = single.id(call.id());
        String name = name(call.name());
        outputQueue.turnTo(text(channel));
        outputQueue.other(
            none -> new Event.ToolCallDelta(call.index(), id, name, Json.of(""), null));
      }
      if (!call.arguments().isEmpty()) {
        outputQueue.piece(
            channel,
            call.arguments().text(),
            piece -> new Event.ToolCallDelta(call.index(), null, null, Json.of(piece), null));
      }
    }

    /** Ends the answer: decides the open texts and passes on their content. */
    void end() {
      tokens.end(this::queueLogprobs);
      outputQueue.end();
    }
  }

  /** Returns a name with matches replaced, or unchanged if the caller declared it. */
  private @Nullable String name(@Nullable String name) {
    return name == null || declared.contains(name) ? name : single.word(name);
  }

  /** Returns the upstream's stop reason with matches replaced. */
  @Nullable String reason(@Nullable String nativeReason) {
    return single.word(nativeReason);
  }

  /**
   * Returns the failure with matches in its error replaced, even those that would block, since the
   * failure ends the answer anyway.
   */
  Event.Failed failure(Event.Failed failed) {
    return WholeTexts.replacing(rules, findings).failure(failed);
  }

  private boolean isChanged(Kind kind) {
    return texts.entrySet().stream()
        .anyMatch(one -> one.getKey().kind() == kind && one.getValue().changed);
  }

  /** Scans an event that is passed on unchanged. */
  void watch(Event event) {
    switch (event) {
      case Event.TextDelta e -> watch(Kind.TEXT, 0, e.text());
      case Event.RefusalDelta e -> watch(Kind.REFUSAL, 0, e.text());
      case Event.ReasoningDelta e ->
          watch(e.summary() ? Kind.SUMMARY : Kind.REASONING, 0, e.text());
      case Event.ToolCallDelta e -> {
        single.id(e.id());
        name(e.name());
        watch(Kind.ARGUMENTS, e.index(), e.arguments());
      }
      case Event.Annotation e -> single.json(e.body());
      case Event.ServerToolRun e -> redacted(e.run());
      case Event.CompleteAnswer e -> whole(e.answer());
      case Event.Finished e -> {
        reason(e.nativeReason());
        endAll();
      }
      case Event.Failed e -> {
        failure(e);
        endAll();
      }
      case Event.Started e -> {}
      case Event.BlockStart e -> {}
      case Event.BlockStop e -> {}
      case Event.ReasoningSignature e -> {}
      case Event.EncryptedReasoning e -> {}
      case Event.Logprobs e -> single.json(e.content());
      case Event.UnmodelledContent e -> {}
      case Event.UsageReport e -> {}
      case Event.UpstreamBodyEcho e -> {}
      case Event.AudioDelta e -> {}
    }
  }

  private void watch(Kind kind, int index, Json.Str said) {
    Text text = text(new Channel(kind, null, index));
    JsonEscapes escapes = text.escapes;
    text.guarded.append(escapes == null ? said.text() : escapes.read(said.text(), false));
    released(text, text.guarded.decided());
  }

  private void endAll() {
    texts.values().forEach(text -> text.guarded.end());
  }

  /** Returns a whole answer with matches replaced; meaningless once the guard has stopped. */
  Answer whole(Answer answer) {
    var parts = new ArrayList<Part>();
    var outputQueue = new OutputQueue<Part>(parts::add);
    int calls = 0;
    for (Part part : answer.parts()) {
      switch (part) {
        case Part.Text p ->
            outputQueue.piece(new Channel(Kind.TEXT, null, 0), p.text().text(), Part.Text::new);
        case Part.Thinking p -> thought(outputQueue, p);
        case Part.Refusal p ->
            outputQueue.piece(
                new Channel(Kind.REFUSAL, null, 0),
                p.text().text(),
                piece -> new Part.Refusal(Json.of(piece), null));
        case Part.ToolCall p -> call(outputQueue, p, calls++);
        case Part.Citation p -> {
          Json.Obj body = single.json(p.body());
          outputQueue.other(none -> new Part.Citation(body, null));
        }
        case Part.Logprobs p -> {
          String said = TokenTexts.said(p.content());
          boolean same =
              single.json(p.content()).equals(p.content()) && single.text(said).equals(said);
          outputQueue.other(none -> same && !isChanged(Kind.TEXT) ? p : null);
        }
        case Part.ServerToolRun p -> {
          Part run = redacted(p);
          outputQueue.other(none -> run);
        }
        case Part.Image p -> {
          Media media = media(p.media());
          outputQueue.other(none -> new Part.Image(media, Json.Obj.EMPTY, null));
        }
        case Part.Audio p ->
            outputQueue.other(none -> new Part.Audio(p.data(), p.format(), Json.Obj.EMPTY, null));
        case Part.Video p -> {
          Json.Str url = single.address(p.url());
          outputQueue.other(none -> new Part.Video(url, Json.Obj.EMPTY, null));
        }
        case Part.File p -> {
          Json.Obj file = single.json(p.file());
          outputQueue.other(none -> new Part.File(file, Json.Obj.EMPTY, null));
        }
        case Part.ToolResult p -> {} // never part of an answer
        case Part.Unknown p -> {} // dropped, since it cannot be scanned
      }
    }
    outputQueue.end();
    return new Answer(
        parts,
        answer.stopReason(),
        reason(answer.nativeReason()),
        answer.usage(),
        answer.dialect(),
        null);
  }

  private Media media(Media media) {
    return switch (media) {
      case Media.Url(Json.Str url) -> new Media.Url(single.address(url));
      case Media.Inline inline -> inline;
      case Media.FileId(String id) -> new Media.FileId(Objects.requireNonNull(single.id(id)));
    };
  }

  private void thought(OutputQueue<Part> outputQueue, Part.Thinking p) {
    String format = single.word(p.format());
    String id = single.id(p.id());
    if (p.kind() == Part.Thinking.Kind.ENCRYPTED || p.text().isEmpty()) {
      outputQueue.other(
          none ->
              new Part.Thinking(
                  p.kind(), p.text(), p.signature(), format, id, Json.Obj.EMPTY, null));
      return;
    }
    boolean summary = p.kind() == Part.Thinking.Kind.SUMMARY;
    String whole = p.text().text();
    outputQueue.piece(
        new Channel(summary ? Kind.SUMMARY : Kind.REASONING, null, 0),
        whole,
        piece ->
            new Part.Thinking(
                p.kind(),
                Json.of(piece),
                piece.equals(whole) ? p.signature() : null,
                format,
                id,
                Json.Obj.EMPTY,
                null));
  }

  private void call(OutputQueue<Part> outputQueue, Part.ToolCall p, int index) {
    String whole = p.arguments().text();
    String id = Objects.requireNonNull(single.id(p.id()));
    String name = Objects.requireNonNull(name(p.name()));
    Function<String, @Nullable Part> make =
        piece ->
            new Part.ToolCall(
                id,
                name,
                piece.equals(whole) ? p.arguments() : new Arguments.Text(Json.of(piece)),
                Json.Obj.EMPTY,
                null);
    if (whole.isEmpty()) {
      outputQueue.other(make);
    } else {
      outputQueue.piece(new Channel(Kind.ARGUMENTS, null, index), whole, make);
    }
  }

  private Part.ServerToolRun redacted(Part.ServerToolRun run) {
    return new Part.ServerToolRun(
        Objects.requireNonNull(single.id(run.callId())),
        Objects.requireNonNull(name(run.tool())),
        arguments(run.arguments()),
        single.json(run.result()),
        null);
  }

  private Arguments arguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str said) -> {
        var escapes = new JsonEscapes();
        var text = new Text(new GuardedText(rules, findings, escapes), escapes);
        text.guarded.append(escapes.read(said.text(), true));
        text.guarded.end();
        see(text);
        String left = released(text, text.guarded.decided());
        yield text.changed ? new Arguments.Text(Json.of(left)) : arguments;
      }
      case Arguments.Value(Json value) -> new Arguments.Value(single.json(value));
    };
  }
}
