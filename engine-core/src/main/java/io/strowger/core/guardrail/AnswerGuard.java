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
 * Looks through one answer while it comes: text, reasoning, refusals and arguments of tools, each
 * as one text however it is split; names and ids of calls, citations, results of tools and errors,
 * each by itself. Only what may still become something to take out stays back. Where a rule redacts
 * or blocks, the answer is written from what the engine models: frames and documents of an
 * upstream, and what only they hold, are not passed on, since nobody can say what else they repeat.
 * Where all rules only flag, everything passes as it is.
 *
 * <p>Other content ends a text; should it go on behind it, what was begun before and is completed
 * then blocks the answer. For one thread.
 */
final class AnswerGuard {
  private static final GuardedText.Spaces EVERYWHERE = (start, end) -> true;
  private static final int MAX_WAITING = 2 * TextScanner.MAX_HELD;

  /** More than an answer has: one for each kind, and one for each call of a tool. */
  private static final int MAX_TEXTS = 512;

  private final List<FilterRule> rules;
  private final Set<String> declared;
  private final boolean enforcing;
  private final Findings findings = new Findings();
  private final WholeTexts single;
  private final Map<Channel, Text> texts = new HashMap<>();
  private @Nullable Text current;
  private boolean blocked;

  /** Which text of an answer a piece belongs to. */
  private record Channel(Kind kind, @Nullable String id, int index) {}

  private enum Kind {
    TEXT,
    REASONING,
    SUMMARY,
    REFUSAL,
    ARGUMENTS
  }

  /** A text, and how it is written. */
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
   * Something that waits for the text before it.
   *
   * @param text null when it is no text
   * @param to where the piece ends in its text
   * @param make what is given on for what is left of it; gets an empty text where it is none
   */
  private record Waiting<T>(@Nullable Text text, int to, Function<String, @Nullable T> make) {}

  /**
   * @param declared names of the request's tools, which are no words of the model
   */
  AnswerGuard(List<FilterRule> rules, Set<String> declared) {
    this.rules = rules;
    this.declared = declared;
    this.single = new WholeTexts(rules, findings);
    this.enforcing = rules.stream().anyMatch(rule -> rule.action() != FilterAction.FLAG);
  }

  /** Whether anything can be held back or changed. */
  boolean isEnforcing() {
    return enforcing;
  }

  Findings findings() {
    return findings;
  }

  /** Whether nothing more may be given on. */
  boolean isStopped() {
    return blocked || findings.blocked();
  }

  /** Takes a stream's events. */
  Events events(Consumer<Event> out) {
    return new Events(out);
  }

  private Text text(Channel channel) {
    if (texts.size() >= MAX_TEXTS && !texts.containsKey(channel)) {
      if (enforcing) {
        blocked =
            true; // a text that is forgotten may go on, and nobody would know what it began with
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

  /** The pieces of an answer on their way. */
  private final class Line<T> {
    private final Deque<Waiting<T>> waiting = new ArrayDeque<>();
    private final Consumer<T> out;

    Line(Consumer<T> out) {
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

    /** Other content than of this text: what is open is decided. */
    void turnTo(@Nullable Text text) {
      Text before = current;
      if (before != null && before != text) {
        before.guarded.pause();
        see(before);
        flush();
      }
      current = text;
    }

    /** Something that waits for what was said before it. */
    void other(Function<String, @Nullable T> make) {
      if (waiting.size() >= MAX_WAITING) {
        turnTo(null);
      }
      waiting.add(new Waiting<>(null, 0, make));
    }

    /** All texts are over. */
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

    /** The rest of an escape that never came belongs to the last piece; a pair to the later one. */
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

  /** What may be given on of a text up to a place. */
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

  /** A stream's events on their way. */
  final class Events {
    private final Line<Event> line;
    private final TokenTexts tokens = new TokenTexts(rules, findings);
    private boolean tainted; // some of the tokens may not be given on

    Events(Consumer<Event> out) {
      line = new Line<>(out);
    }

    /**
     * Takes the next event of the answer, which is none that ends it. Gives on what may be given
     * on; nothing any more once the guard has stopped.
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
        case Event.Started e -> line.other(none -> new Event.Started(null));
        case Event.BlockStart e -> line.other(none -> new Event.BlockStart(e.kind(), null));
        case Event.BlockStop e -> line.other(none -> new Event.BlockStop(null));
        case Event.ReasoningSignature e -> {
          String format = single.word(e.format());
          line.other(
              none ->
                  isChanged(Kind.REASONING)
                      ? null
                      : new Event.ReasoningSignature(e.signature(), format, null));
        }
        case Event.EncryptedReasoning e -> {
          var one =
              new Event.EncryptedReasoning(
                  e.data(), single.word(e.format()), single.id(e.id()), null);
          line.other(none -> one);
        }
        case Event.Logprobs e -> {
          tainted |= !single.json(e.content()).equals(e.content());
          tokens.take(e, this::likely);
        }
        case Event.Annotation e -> {
          Json.Obj body = single.json(e.body());
          line.other(none -> new Event.Annotation(body, null));
        }
        case Event.ServerToolRun e -> {
          Part.ServerToolRun run = redacted(e.run());
          line.other(none -> new Event.ServerToolRun(run));
        }
        case Event.UnmodelledContent e -> {} // nobody can look into it
        case Event.AudioDelta e -> {} // nor into this
        case Event.UsageReport e -> line.other(none -> new Event.UsageReport(e.usage(), null));
        case Event.UpstreamBodyEcho e -> { // repeats the request, of which this is no guard
          Json body = WholeTexts.replacing(rules, new Findings()).json(e.upstreamBody());
          line.other(none -> new Event.UpstreamBodyEcho(body));
        }
        case Event.Finished e -> throw new IllegalArgumentException("an end");
        case Event.Failed e -> throw new IllegalArgumentException("an end");
        case Event.CompleteAnswer e -> throw new IllegalArgumentException("an end");
      }
      line.flush();
    }

    /** Logprobs of which each token may be given on, and all of them one behind the other. */
    private void likely(Event.Logprobs one) {
      boolean same = !tainted;
      line.other(none -> same && !isChanged(Kind.TEXT) ? one : null);
    }

    private void said(
        Kind kind, @Nullable String id, Json.Str text, Function<String, @Nullable Event> make) {
      line.piece(new Channel(kind, id, 0), text.text(), make);
    }

    private void called(Event.ToolCallDelta call) {
      var channel = new Channel(Kind.ARGUMENTS, null, call.index());
      if (call.id() != null || call.name() != null) {
        String id = single.id(call.id());
        String name = name(call.name());
        line.turnTo(text(channel));
        line.other(none -> new Event.ToolCallDelta(call.index(), id, name, Json.of(""), null));
      }
      if (!call.arguments().isEmpty()) {
        line.piece(
            channel,
            call.arguments().text(),
            piece -> new Event.ToolCallDelta(call.index(), null, null, Json.of(piece), null));
      }
    }

    /** The answer is over: what is open is decided and given on. */
    void end() {
      tokens.end(this::likely);
      line.end();
    }
  }

  /** Returns a name as it may be given on: what the caller declared is no word of the model. */
  private @Nullable String name(@Nullable String name) {
    return name == null || declared.contains(name) ? name : single.word(name);
  }

  /** Returns the upstream's word for the end of an answer as it may be given on. */
  @Nullable String reason(@Nullable String nativeReason) {
    return single.word(nativeReason);
  }

  /**
   * Returns an end whose error quotes nothing that the rules take out. It ends the answer already,
   * so what would block is replaced like the rest.
   */
  Event.Failed failure(Event.Failed failed) {
    return WholeTexts.replacing(rules, findings).failure(failed);
  }

  private boolean isChanged(Kind kind) {
    return texts.entrySet().stream()
        .anyMatch(one -> one.getKey().kind() == kind && one.getValue().changed);
  }

  /** Looks at an event that passes as it is. */
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

  /** A whole answer as it may be given on; means nothing once the guard has stopped. */
  Answer whole(Answer answer) {
    var parts = new ArrayList<Part>();
    var line = new Line<Part>(parts::add);
    int calls = 0;
    for (Part part : answer.parts()) {
      switch (part) {
        case Part.Text p ->
            line.piece(new Channel(Kind.TEXT, null, 0), p.text().text(), Part.Text::new);
        case Part.Thinking p -> thought(line, p);
        case Part.Refusal p ->
            line.piece(
                new Channel(Kind.REFUSAL, null, 0),
                p.text().text(),
                piece -> new Part.Refusal(Json.of(piece), null));
        case Part.ToolCall p -> call(line, p, calls++);
        case Part.Citation p -> {
          Json.Obj body = single.json(p.body());
          line.other(none -> new Part.Citation(body, null));
        }
        case Part.Logprobs p -> {
          String said = TokenTexts.said(p.content());
          boolean same =
              single.json(p.content()).equals(p.content()) && single.text(said).equals(said);
          line.other(none -> same && !isChanged(Kind.TEXT) ? p : null);
        }
        case Part.ServerToolRun p -> {
          Part run = redacted(p);
          line.other(none -> run);
        }
        case Part.Image p -> {
          Media media = media(p.media());
          line.other(none -> new Part.Image(media, Json.Obj.EMPTY, null));
        }
        case Part.Audio p ->
            line.other(none -> new Part.Audio(p.data(), p.format(), Json.Obj.EMPTY, null));
        case Part.Video p -> {
          Json.Str url = single.address(p.url());
          line.other(none -> new Part.Video(url, Json.Obj.EMPTY, null));
        }
        case Part.File p -> {
          Json.Obj file = single.json(p.file());
          line.other(none -> new Part.File(file, Json.Obj.EMPTY, null));
        }
        case Part.ToolResult p -> {} // no part of an answer
        case Part.Unknown p -> {} // nobody can look into it
      }
    }
    line.end();
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

  private void thought(Line<Part> line, Part.Thinking p) {
    String format = single.word(p.format());
    String id = single.id(p.id());
    if (p.kind() == Part.Thinking.Kind.ENCRYPTED || p.text().isEmpty()) {
      line.other(
          none ->
              new Part.Thinking(
                  p.kind(), p.text(), p.signature(), format, id, Json.Obj.EMPTY, null));
      return;
    }
    boolean summary = p.kind() == Part.Thinking.Kind.SUMMARY;
    String whole = p.text().text();
    line.piece(
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

  private void call(Line<Part> line, Part.ToolCall p, int index) {
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
      line.other(make);
    } else {
      line.piece(new Channel(Kind.ARGUMENTS, null, index), whole, make);
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
