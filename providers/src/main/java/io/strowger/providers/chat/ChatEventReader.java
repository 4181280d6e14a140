package io.strowger.providers.chat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.StopReasons;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.FrameSurroundings;
import io.strowger.providers.upstream.TextPattern;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UpstreamErrorClassifier;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Credential;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of one stream into events. Keeps the state that later events depend on: whether
 * there was content and tool calls, and the finish, which is held back until the usage is known.
 */
final class ChatEventReader implements EventReader {
  private static final byte[] DONE = {'[', 'D', 'O', 'N', 'E', ']'};

  private final Deque<Event> events = new ArrayDeque<>();
  private final TextPattern pattern = new TextPattern(null);
  private final Credential credential;
  private final SafeNames names;
  private @Nullable Thought thought; // the latest item of reasoning_details
  private boolean content;
  private boolean calls;
  private boolean refused;
  private @Nullable Finish finish;

  /** The properties of the item that a piece of reasoning belongs to. */
  private record Thought(
      boolean summary, @Nullable String format, @Nullable String id, @Nullable Json index) {
    static Thought of(ReasoningDetailItem read, Json.Obj item) {
      boolean summary = read.kind() == Part.Thinking.Kind.SUMMARY;
      return new Thought(summary, read.format(), read.id(), item.get("index"));
    }

    /**
     * Returns whether this item starts a new block after another one: the kind is the same, but the
     * index differs.
     */
    boolean follows(Thought before) {
      return summary == before.summary && !Objects.equals(index, before.index);
    }
  }

  /** A finish that is held back. */
  private record Finish(@Nullable String word, @Nullable String nativeWord, Json.Obj frame) {}

  /**
   * @param names maps the upstream's tool names to the caller's
   */
  ChatEventReader(Credential credential, SafeNames names) {
    this.credential = credential;
    this.names = names;
  }

  @Override
  public Deque<Event> waiting() {
    return events;
  }

  @Override
  public @Nullable Event known(byte[] buffer, int start, int end) {
    return pattern.match(buffer, start, end);
  }

  @Override
  public boolean isEnd(byte[] buffer, int start, int end) {
    return Arrays.equals(buffer, start, end, DONE, 0, DONE.length);
  }

  @Override
  public boolean finished() {
    return finish != null;
  }

  @Override
  public Event.Finished finish() {
    Finish held = Objects.requireNonNull(finish);
    return new Event.Finished(
        StopReasons.CHAT.of(held.word, calls, refused), held.nativeWord, held.frame);
  }

  @Override
  public void frame(Json document, byte[] bytes, String name) {
    if (!(document instanceof Json.Obj frame)) {
      failed(
          TransportErrorClassifier.protocol("a frame that is no object, but " + document.kind()));
      return;
    }
    Json.Arr choices = frame.list("choices");
    if (name.equals("error") || isError(frame, choices)) {
      error(frame);
    } else if (choices == null || choices.isEmpty()) {
      withoutChoices(frame);
    } else if (choices.size() == 1) {
      choice(frame, choices.get(0), bytes);
    } else {
      split(frame, choices, bytes);
    }
  }

  private static boolean isError(Json.Obj frame, Json.@Nullable Arr choices) {
    Json error = frame.get("error");
    return error instanceof Json.Obj
        || error instanceof Json.Str
        || choices == null && "error".equals(frame.text("object"));
  }

  private void error(Json.Obj frame) {
    failed(UpstreamErrorClassifier.reported(ErrorBody.announced(frame), credential));
  }

  private void withoutChoices(Json.Obj frame) {
    Json.Obj usage = frame.object("usage");
    if (usage == null) {
      lifecycle(frame);
    } else {
      usage(usage, frame);
    }
  }

  private void usage(Json.Obj usage, Json.Obj frame) {
    events.add(new Event.UsageReport(ChatUsageReader.of(usage), frame));
    if (finish != null) {
      events.add(finish());
    }
  }

  /**
   * Adds a frame without content. Before the first content it must not be treated as content, since
   * that would commit the stream.
   */
  private void lifecycle(Json.Obj frame) {
    events.add(content ? new Event.UnmodelledContent(frame) : new Event.Started(frame));
  }

  /** Splits a frame with several choices; unmodelled members and usage stay with the last one. */
  private void split(Json.Obj frame, Json.Arr choices, byte[] bytes) {
    Json.Obj bare = frame.without("usage");
    int last = choices.size() - 1;
    for (int i = 0; i < last; i++) {
      Json.Obj one = ChatDeltaSplitter.envelopeOf(bare).with("choices", Json.array(choices.get(i)));
      choice(one, choices.get(i), bytes);
    }
    choice(frame.with("choices", Json.array(choices.get(last))), choices.get(last), bytes);
  }

  private void choice(Json.Obj frame, Json item, byte[] bytes) {
    if (!(item instanceof Json.Obj choice)) {
      failed(TransportErrorClassifier.protocol("a choice that is no object, but " + item.kind()));
      return;
    }
    var chatDeltaSplitter = new ChatDeltaSplitter(frame, choice);
    if (choice.whole("index", 0) != 0 && !chatDeltaSplitter.isSilent()) {
      other(frame);
      return;
    }
    for (int i = 0; i < chatDeltaSplitter.said().size(); i++) {
      said(chatDeltaSplitter, i, bytes);
      content = content || events.getLast().isContent();
    }
    String word = chatDeltaSplitter.finishWord();
    Json.Obj usage = chatDeltaSplitter.usage();
    if (word != null) {
      finish(chatDeltaSplitter, word);
    } else if (chatDeltaSplitter.said().isEmpty() && usage == null) {
      lifecycle(frame);
    }
    if (usage != null) {
      usage(usage, chatDeltaSplitter.usageFrame());
    }
  }

  private void finish(ChatDeltaSplitter chatDeltaSplitter, String word) {
    content = true;
    if (word.equals("error")) {
      failed(Failure.of(FailureKind.UNAVAILABLE, "the upstream ended its answer with an error"));
    } else {
      finish = new Finish(word, chatDeltaSplitter.nativeWord(), chatDeltaSplitter.finishFrame());
    }
  }

  /** Passes on a choice other than the first unchanged, since the engine models only one. */
  private void other(Json.Obj frame) {
    content = true;
    Json.Obj usage = frame.object("usage");
    events.add(new Event.UnmodelledContent(usage == null ? frame : frame.without("usage")));
    if (usage != null) {
      usage(
          usage,
          ChatDeltaSplitter.envelopeOf(frame).with("choices", Json.array()).with("usage", usage));
    }
  }

  private void said(ChatDeltaSplitter chatDeltaSplitter, int index, byte[] bytes) {
    ChatDeltaSplitter.Said said = chatDeltaSplitter.said().get(index);
    Json.Obj frame = chatDeltaSplitter.frameOf(index);
    switch (said.member()) {
      case "content", "reasoning", "reasoning_content" ->
          text(said, frame, chatDeltaSplitter, bytes);
      case "tool_calls" -> call(said.value(), frame);
      case "annotations" -> annotation(said.value(), frame);
      case "reasoning_details" -> thought(said.value(), frame, chatDeltaSplitter.isPlain());
      case "refusal" -> {
        refused = true;
        events.add(
            said.value() instanceof Json.Str text
                ? new Event.RefusalDelta(text, frame)
                : new Event.UnmodelledContent(frame));
      }
      default -> events.add(new Event.UnmodelledContent(frame));
    }
  }

  private void text(
      ChatDeltaSplitter.Said said,
      Json.Obj frame,
      ChatDeltaSplitter chatDeltaSplitter,
      byte[] bytes) {
    if (!(said.value() instanceof Json.Str text)) {
      events.add(new Event.UnmodelledContent(frame));
      return;
    }
    boolean reasoning = !said.member().equals("content");
    FrameSurroundings around =
        chatDeltaSplitter.isWhole() && frame.sourceLength() > 0
            ? FrameSurroundings.sent(Dialect.CHAT, frame, text, bytes)
            : null;
    if (around == null) {
      around = FrameSurroundings.edited(Dialect.CHAT, frame, "choices", "delta", said.member());
    } else {
      pattern.remember(around, reasoning);
    }
    if (reasoning) {
      reasoning(text, chatDeltaSplitter.thought(), around.template());
    } else {
      events.add(new Event.TextDelta(text, around.template()));
    }
  }

  /**
   * @param item the {@code reasoning_details} item with the same text; null when there is none
   */
  private void reasoning(Json.Str text, Json.@Nullable Obj item, FrameTemplate template) {
    ReasoningDetailItem read = item == null ? null : ReasoningDetailItem.of(item);
    if (item == null || read == null) {
      events.add(new Event.ReasoningDelta(text, template));
      return;
    }
    Thought now = Thought.of(read, item);
    if (thought != null && now.follows(thought)) {
      events.add(new Event.BlockStart(Event.BlockStart.Kind.REASONING, null));
    }
    thought = now;
    events.add(new Event.ReasoningDelta(text, now.summary, now.format, now.id, template));
  }

  /**
   * @param repeated whether the frame has the same text as plain reasoning, which is passed on
   *     instead
   */
  private void thought(Json item, Json.Obj frame, boolean repeated) {
    ReasoningDetailItem read =
        item instanceof Json.Obj object ? ReasoningDetailItem.of(object) : null;
    if (read == null) {
      events.add(new Event.UnmodelledContent(frame));
    } else if (read.kind() == Part.Thinking.Kind.ENCRYPTED) {
      events.add(new Event.EncryptedReasoning(read.text(), read.format(), read.id(), frame));
    } else if (read.signature() != null) {
      events.add(new Event.ReasoningSignature(read.signature(), read.format(), frame));
    } else if (repeated || read.text().isEmpty()) {
      events.add(new Event.UnmodelledContent(frame));
    } else {
      Json.Obj plain = ChatDeltaSplitter.withReasoning(frame, read.text());
      FrameSurroundings around =
          FrameSurroundings.edited(Dialect.CHAT, plain, "choices", "delta", "reasoning");
      reasoning(read.text(), (Json.Obj) item, around.template());
    }
  }

  private void call(Json item, Json.Obj frame) {
    calls = true;
    if (!(item instanceof Json.Obj call)) {
      events.add(new Event.UnmodelledContent(frame));
      return;
    }
    Json.Obj function = call.object("function");
    String name = function == null ? null : function.text("name");
    events.add(
        new Event.ToolCallDelta(
            Math.clamp(call.whole("index", 0), 0, Integer.MAX_VALUE),
            call.text("id"),
            name == null ? null : names.original(name),
            ChatAnswerReader.arguments(function == null ? null : function.get("arguments")),
            frame));
  }

  private void annotation(Json item, Json.Obj frame) {
    events.add(
        item instanceof Json.Obj body
            ? new Event.Annotation(body, frame)
            : new Event.UnmodelledContent(frame));
  }
}
