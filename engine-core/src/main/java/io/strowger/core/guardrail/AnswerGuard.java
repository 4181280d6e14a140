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
 * <p>Another text interrupts a text; so does other content once {@value #MAX_WAITING} items wait.
 * If the text continues later, a match that spans the interruption blocks the answer. Confined to
 * one thread.
 */
final class AnswerGuard {
  private static final GuardedText.ReplaceableRanges EVERYWHERE = (start, end) -> true;
  private static final int MAX_WAITING = 2 * TextScanner.MAX_UNDECIDED_CHARS;

  /** Upper bound on the texts of an answer: one for each kind and one for each tool call. */
  private static final int MAX_TEXTS = 512;

  private final List<FilterRule> rules;
  private final Set<String> declaredTools;
  private final boolean isEnforcing;
  private final Findings findings = new Findings();
  private final WholeTexts wholeTexts;
  private final Map<Channel, Text> texts = new HashMap<>();
  private @Nullable Text currentText;
  private boolean isBlocked;

  /** Identifies the text of an answer that a fragment belongs to. */
  private record Channel(Kind kind, int index) {}

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
    private boolean hasChanged;

    Text(GuardedText guarded, @Nullable JsonEscapes escapes) {
      this.guarded = guarded;
      this.escapes = escapes;
    }
  }

  /**
   * An event or part that waits until the text before it is decided.
   *
   * @param text the text that it is a fragment of; null for other content
   * @param end the offset in the text at which the fragment ends
   * @param factory creates the output from the redacted fragment, which is empty for other content
   */
  private record Waiting<T>(@Nullable Text text, int end, Function<String, @Nullable T> factory) {}

  /**
   * @param declaredTools the names of the request's tools, which are passed on unchecked
   */
  AnswerGuard(List<FilterRule> rules, Set<String> declaredTools) {
    this.rules = rules;
    this.declaredTools = declaredTools;
    this.wholeTexts = new WholeTexts(rules, findings);
    this.isEnforcing = rules.stream().anyMatch(rule -> rule.action() != FilterAction.FLAG);
  }

  /** Returns whether a rule can hold back or change content; false if all rules only flag. */
  boolean isEnforcing() {
    return isEnforcing;
  }

  Findings findings() {
    return findings;
  }

  /** Returns whether the answer is blocked, so that nothing more may be passed on. */
  boolean isStopped() {
    return isBlocked || findings.isBlocked();
  }

  /** Creates the guard of a stream's events, which passes them on to {@code out}. */
  Events events(Consumer<Event> out) {
    return new Events(out);
  }

  private Text text(Channel channel) {
    if (texts.size() >= MAX_TEXTS && !texts.containsKey(channel)) {
      if (isEnforcing) {
        isBlocked = true; // discarding a text instead could miss a match that continues in it
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

    void addFragment(Channel channel, String fragment, Function<String, @Nullable T> factory) {
      Text text = text(channel);
      switchTo(text);
      JsonEscapes escapes = text.escapes;
      add(text, escapes == null ? fragment : escapes.decode(fragment, false), factory);
    }

    private void add(Text text, String fragment, Function<String, @Nullable T> factory) {
      if (fragment.isEmpty()) {
        return;
      }
      text.guarded.append(fragment);
      waiting.add(new Waiting<>(text, text.guarded.length(), factory));
      checkBlocked(text);
    }

    /**
     * Switches to a text, or to other content if null, and decides the matches of the previous text
     * by what has arrived of it.
     */
    void switchTo(@Nullable Text text) {
      Text previous = currentText;
      if (previous != null && previous != text) {
        previous.guarded.pause();
        checkBlocked(previous);
        flush();
      }
      currentText = text;
    }

    /** Queues content that is not text. */
    void addOther(Function<String, @Nullable T> factory) {
      if (waiting.size() >= MAX_WAITING) {
        switchTo(null);
      }
      waiting.add(new Waiting<>(null, 0, factory));
    }

    /** Ends all texts and passes on all waiting content. */
    void end() {
      for (Text text : texts.values()) {
        JsonEscapes escapes = text.escapes;
        if (escapes != null) {
          text.guarded.append(escapes.decode("", true));
        }
        text.guarded.end();
        checkBlocked(text);
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
        int end = text == null ? 0 : fragmentEnd(head, text);
        String output = text == null ? "" : release(text, end);
        if (text == null || !output.isEmpty()) {
          T item = head.factory().apply(output);
          if (item != null) {
            out.accept(item);
          }
        }
        if (text != null && text.guarded.releasedLength() < end) {
          return;
        }
        waiting.poll();
      }
    }

    /**
     * Returns the offset up to which a fragment may be released. The last fragment in the queue
     * also gets an incomplete escape. If the fragment ends inside a surrogate pair, the whole pair
     * belongs to the next one.
     */
    private int fragmentEnd(Waiting<T> head, Text text) {
      if (text.escapes != null && waiting.peekLast() == head) {
        return text.guarded.length();
      }
      return text.guarded.isInsidePair(head.end()) ? head.end() - 1 : head.end();
    }
  }

  private void checkBlocked(Text text) {
    isBlocked |= text.guarded.isBlocked();
  }

  /** Releases the decided part of a text up to an offset, and returns it with matches replaced. */
  private String release(Text text, int limit) {
    int end = Math.min(limit, text.guarded.decidedLength());
    if (end <= text.guarded.releasedLength()) {
      return "";
    }
    var output = new StringBuilder();
    JsonEscapes escapes = text.escapes;
    text.guarded.release(
        end,
        new GuardedText.Output() {
          @Override
          public void text(String piece, int from) {
            output.append(escapes == null ? piece : escapes.jsonOf(from, from + piece.length()));
          }

          @Override
          public void label(String label) {
            output.append(escapes == null ? label : JsonEscapes.escapeLabel(label));
            text.hasChanged = true;
          }
        });
    if (escapes != null) {
      escapes.forget(text.guarded.releasedLength());
    }
    return output.toString();
  }

  /** The events of a stream that are not passed on yet. */
  final class Events {
    private final OutputQueue<Event> queue;
    private final TokenTexts tokens = new TokenTexts(rules, findings);
    private boolean hasRedactedToken; // some of the tokens must not be passed on

    Events(Consumer<Event> out) {
      queue = new OutputQueue<>(out);
    }

    /**
     * Adds the next event of the answer, which must not be terminal, and passes on the content that
     * is decided. Passes on nothing more once the guard has stopped.
     */
    void add(Event event) {
      switch (event) {
        case Event.TextDelta e -> addText(Kind.TEXT, e.text(), Event.TextDelta::new);
        case Event.RefusalDelta e ->
            addText(
                Kind.REFUSAL,
                e.text(),
                fragment -> new Event.RefusalDelta(Json.of(fragment), null));
        case Event.ReasoningDelta e -> {
          String format = wholeTexts.redactWord(e.format());
          String id = wholeTexts.redactId(e.id());
          addText(
              e.summary() ? Kind.SUMMARY : Kind.REASONING,
              e.text(),
              fragment ->
                  new Event.ReasoningDelta(Json.of(fragment), e.summary(), format, id, null));
        }
        case Event.ToolCallDelta e -> addCall(e);
        case Event.Started e -> queue.addOther(ignored -> new Event.Started(null));
        case Event.BlockStart e -> queue.addOther(ignored -> new Event.BlockStart(e.kind(), null));
        case Event.BlockStop e -> queue.addOther(ignored -> new Event.BlockStop(null));
        case Event.ReasoningSignature e -> {
          String format = wholeTexts.redactWord(e.format());
          queue.addOther(
              ignored ->
                  isChanged(Kind.REASONING) || isChanged(Kind.SUMMARY)
                      ? null
                      : new Event.ReasoningSignature(e.signature(), format, null));
        }
        case Event.EncryptedReasoning e -> {
          var reasoning =
              new Event.EncryptedReasoning(
                  e.data(), wholeTexts.redactWord(e.format()), wholeTexts.redactId(e.id()), null);
          queue.addOther(ignored -> reasoning);
        }
        case Event.Logprobs e -> {
          hasRedactedToken |= !wholeTexts.redactJson(e.content()).equals(e.content());
          tokens.add(e, this::queueLogprobs);
        }
        case Event.Annotation e -> {
          Json.Obj body = wholeTexts.redactJson(e.body());
          queue.addOther(ignored -> new Event.Annotation(body, null));
        }
        case Event.ServerToolRun e -> {
          Part.ServerToolRun run = redactRun(e.run());
          queue.addOther(ignored -> new Event.ServerToolRun(run));
        }
        case Event.UnmodelledContent e -> {} // dropped, since it cannot be scanned
        case Event.AudioDelta e -> {} // dropped, since it may speak what was redacted
        case Event.UsageReport e ->
            queue.addOther(ignored -> new Event.UsageReport(e.usage(), null));
        // repeats the request, whose matches are no findings of the answer
        case Event.UpstreamBodyEcho e -> {
          Json body = WholeTexts.replacing(rules, new Findings()).redactJson(e.upstreamBody());
          queue.addOther(ignored -> new Event.UpstreamBodyEcho(body));
        }
        case Event.Finished e -> throw new IllegalArgumentException("an end");
        case Event.Failed e -> throw new IllegalArgumentException("an end");
        case Event.CompleteAnswer e -> throw new IllegalArgumentException("an end");
      }
      queue.flush();
    }

    /** Queues logprobs; they are dropped if one of the tokens or the text was redacted. */
    private void queueLogprobs(Event.Logprobs logprobs) {
      boolean isUnchanged = !hasRedactedToken;
      queue.addOther(ignored -> isUnchanged && !isChanged(Kind.TEXT) ? logprobs : null);
    }

    private void addText(Kind kind, Json.Str text, Function<String, @Nullable Event> factory) {
      queue.addFragment(new Channel(kind, 0), text.text(), factory);
    }

    private void addCall(Event.ToolCallDelta call) {
      var channel = new Channel(Kind.ARGUMENTS, call.index());
      if (call.id() != null || call.name() != null) {
        String id = wholeTexts.redactId(call.id());
        String name = redactUndeclared(call.name());
        queue.switchTo(text(channel));
        queue.addOther(
            ignored -> new Event.ToolCallDelta(call.index(), id, name, Json.of(""), null));
      }
      if (!call.arguments().isEmpty()) {
        queue.addFragment(
            channel,
            call.arguments().text(),
            fragment -> new Event.ToolCallDelta(call.index(), null, null, Json.of(fragment), null));
      }
    }

    /** Ends the answer: decides the open texts and passes on their content. */
    void end() {
      tokens.end(this::queueLogprobs);
      queue.end();
    }
  }

  /** Returns a name with matches replaced, or unchanged if the caller declared it. */
  private @Nullable String redactUndeclared(@Nullable String name) {
    return name == null || declaredTools.contains(name) ? name : wholeTexts.redactWord(name);
  }

  /** Returns the upstream's stop reason with matches replaced. */
  @Nullable String redactReason(@Nullable String nativeReason) {
    return wholeTexts.redactWord(nativeReason);
  }

  /**
   * Returns the failure with matches in its error replaced, even those that would block, since the
   * failure ends the answer anyway.
   */
  Event.Failed redactFailure(Event.Failed failed) {
    return WholeTexts.replacing(rules, findings).redactFailure(failed);
  }

  private boolean isChanged(Kind kind) {
    return texts.entrySet().stream()
        .anyMatch(entry -> entry.getKey().kind() == kind && entry.getValue().hasChanged);
  }

  /**
   * Scans an event that is passed on unchanged. The redacting methods are called only because they
   * record findings; their results are not used.
   */
  void watch(Event event) {
    switch (event) {
      case Event.TextDelta e -> watch(Kind.TEXT, 0, e.text());
      case Event.RefusalDelta e -> watch(Kind.REFUSAL, 0, e.text());
      case Event.ReasoningDelta e ->
          watch(e.summary() ? Kind.SUMMARY : Kind.REASONING, 0, e.text());
      case Event.ToolCallDelta e -> {
        wholeTexts.redactId(e.id());
        redactUndeclared(e.name());
        watch(Kind.ARGUMENTS, e.index(), e.arguments());
      }
      case Event.Annotation e -> wholeTexts.redactJson(e.body());
      case Event.ServerToolRun e -> redactRun(e.run());
      case Event.CompleteAnswer e -> redactAnswer(e.answer());
      case Event.Finished e -> {
        redactReason(e.nativeReason());
        endAll();
      }
      case Event.Failed e -> {
        redactFailure(e);
        endAll();
      }
      case Event.Started e -> {}
      case Event.BlockStart e -> {}
      case Event.BlockStop e -> {}
      case Event.ReasoningSignature e -> {}
      case Event.EncryptedReasoning e -> {}
      case Event.Logprobs e -> wholeTexts.redactJson(e.content());
      case Event.UnmodelledContent e -> {}
      case Event.UsageReport e -> {}
      case Event.UpstreamBodyEcho e -> {}
      case Event.AudioDelta e -> {}
    }
  }

  private void watch(Kind kind, int index, Json.Str content) {
    Text text = text(new Channel(kind, index));
    JsonEscapes escapes = text.escapes;
    text.guarded.append(escapes == null ? content.text() : escapes.decode(content.text(), false));
    release(text, text.guarded.decidedLength());
  }

  private void endAll() {
    texts.values().forEach(text -> text.guarded.end());
  }

  /** Returns a whole answer with matches replaced; meaningless once the guard has stopped. */
  Answer redactAnswer(Answer answer) {
    var parts = new ArrayList<Part>();
    var queue = new OutputQueue<Part>(parts::add);
    int calls = 0;
    for (Part part : answer.parts()) {
      switch (part) {
        case Part.Text p ->
            queue.addFragment(new Channel(Kind.TEXT, 0), p.text().text(), Part.Text::new);
        case Part.Thinking p -> addThinking(queue, p);
        case Part.Refusal p ->
            queue.addFragment(
                new Channel(Kind.REFUSAL, 0),
                p.text().text(),
                fragment -> new Part.Refusal(Json.of(fragment), null));
        case Part.ToolCall p -> addCall(queue, p, calls++);
        case Part.Citation p -> {
          Json.Obj body = wholeTexts.redactJson(p.body());
          queue.addOther(ignored -> new Part.Citation(body, null));
        }
        case Part.Logprobs p -> {
          String tokens = TokenTexts.joinTokens(p.content());
          boolean isUnchanged =
              wholeTexts.redactJson(p.content()).equals(p.content())
                  && wholeTexts.redact(tokens).equals(tokens);
          queue.addOther(ignored -> isUnchanged && !isChanged(Kind.TEXT) ? p : null);
        }
        case Part.ServerToolRun p -> {
          Part run = redactRun(p);
          queue.addOther(ignored -> run);
        }
        case Part.Image p -> {
          Media media = redactMedia(p.media());
          queue.addOther(ignored -> new Part.Image(media, Json.Obj.EMPTY, null));
        }
        case Part.Video p -> {
          Json.Str url = wholeTexts.redactAddress(p.url());
          queue.addOther(ignored -> new Part.Video(url, Json.Obj.EMPTY, null));
        }
        case Part.File p -> {
          Json.Obj file = wholeTexts.redactJson(p.file());
          queue.addOther(ignored -> new Part.File(file, Json.Obj.EMPTY, null));
        }
        case Part.ToolResult p -> {} // never part of an answer
        case Part.Unknown p -> {} // dropped, since it cannot be scanned
        case Part.Audio p -> {} // dropped, since it may speak what was redacted
      }
    }
    queue.end();
    return new Answer(
        parts,
        answer.stopReason(),
        redactReason(answer.nativeReason()),
        answer.usage(),
        answer.dialect(),
        null);
  }

  private Media redactMedia(Media media) {
    return switch (media) {
      case Media.Url(Json.Str url) -> new Media.Url(wholeTexts.redactAddress(url));
      case Media.Inline inline -> inline;
      case Media.FileId(String id) ->
          new Media.FileId(Objects.requireNonNull(wholeTexts.redactId(id)));
    };
  }

  private void addThinking(OutputQueue<Part> queue, Part.Thinking thinking) {
    String format = wholeTexts.redactWord(thinking.format());
    String id = wholeTexts.redactId(thinking.id());
    if (thinking.kind() == Part.Thinking.Kind.ENCRYPTED || thinking.text().isEmpty()) {
      queue.addOther(
          ignored ->
              new Part.Thinking(
                  thinking.kind(),
                  thinking.text(),
                  thinking.signature(),
                  format,
                  id,
                  Json.Obj.EMPTY,
                  null));
      return;
    }
    boolean isSummary = thinking.kind() == Part.Thinking.Kind.SUMMARY;
    String fullText = thinking.text().text();
    queue.addFragment(
        new Channel(isSummary ? Kind.SUMMARY : Kind.REASONING, 0),
        fullText,
        fragment ->
            new Part.Thinking(
                thinking.kind(),
                Json.of(fragment),
                fragment.equals(fullText) ? thinking.signature() : null,
                format,
                id,
                Json.Obj.EMPTY,
                null));
  }

  private void addCall(OutputQueue<Part> queue, Part.ToolCall call, int index) {
    String fullArguments = call.arguments().text();
    String id = Objects.requireNonNull(wholeTexts.redactId(call.id()));
    String name = Objects.requireNonNull(redactUndeclared(call.name()));
    Function<String, @Nullable Part> factory =
        fragment ->
            new Part.ToolCall(
                id,
                name,
                fragment.equals(fullArguments)
                    ? call.arguments()
                    : new Arguments.Text(Json.of(fragment)),
                Json.Obj.EMPTY,
                null);
    if (fullArguments.isEmpty()) {
      queue.addOther(factory);
    } else {
      queue.addFragment(new Channel(Kind.ARGUMENTS, index), fullArguments, factory);
    }
  }

  private Part.ServerToolRun redactRun(Part.ServerToolRun run) {
    return new Part.ServerToolRun(
        Objects.requireNonNull(wholeTexts.redactId(run.callId())),
        Objects.requireNonNull(redactUndeclared(run.tool())),
        redactArguments(run.arguments()),
        wholeTexts.redactJson(run.result()),
        null);
  }

  private Arguments redactArguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str json) -> {
        var escapes = new JsonEscapes();
        var text = new Text(new GuardedText(rules, findings, escapes), escapes);
        text.guarded.append(escapes.decode(json.text(), true));
        text.guarded.end();
        checkBlocked(text);
        String redacted = release(text, text.guarded.decidedLength());
        yield text.hasChanged ? new Arguments.Text(Json.of(redacted)) : arguments;
      }
      case Arguments.Value(Json value) -> new Arguments.Value(wholeTexts.redactJson(value));
    };
  }
}
