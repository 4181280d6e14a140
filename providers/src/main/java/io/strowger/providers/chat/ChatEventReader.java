package io.strowger.providers.chat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.StopReasons;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.FrameSurroundings;
import io.strowger.providers.upstream.TextPattern;
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
 * there was content, a tool call or a refusal, and the finish, which is held back until the usage
 * is known.
 */
final class ChatEventReader implements EventReader {
  private static final byte[] DONE = {'[', 'D', 'O', 'N', 'E', ']'};

  private final Deque<Event> events = new ArrayDeque<>();
  private final TextPattern pattern = new TextPattern(null);
  private final Credential credential;
  private final SafeNames names;
  private @Nullable ReasoningItem reasoningItem; // the latest item of reasoning_details
  private boolean hasContent;
  private boolean hasCalls;
  private boolean hasRefusal;
  private @Nullable Finish finish;

  /** The properties of the item that a piece of reasoning belongs to. */
  private record ReasoningItem(
      boolean isSummary, @Nullable String format, @Nullable String id, @Nullable Json index) {
    static ReasoningItem of(ReasoningDetailItem detail, Json.Obj item) {
      boolean isSummary = detail.kind() == Part.Thinking.Kind.SUMMARY;
      return new ReasoningItem(isSummary, detail.format(), detail.id(), item.get("index"));
    }

    /**
     * Returns whether this item starts a new block after another one: the kind is the same, but the
     * index differs.
     */
    boolean startsBlockAfter(ReasoningItem previous) {
      return isSummary == previous.isSummary && !Objects.equals(index, previous.index);
    }
  }

  /** A finish that is held back. */
  private record Finish(
      @Nullable String finishReason, @Nullable String nativeReason, Json.Obj frame) {}

  /**
   * @param names maps the upstream's tool names to the caller's
   */
  ChatEventReader(Credential credential, SafeNames names) {
    this.credential = credential;
    this.names = names;
  }

  @Override
  public Deque<Event> queue() {
    return events;
  }

  @Override
  public @Nullable Event tryMatch(byte[] buffer, int start, int end) {
    return pattern.match(buffer, start, end);
  }

  @Override
  public boolean isEnd(byte[] buffer, int start, int end) {
    return Arrays.equals(buffer, start, end, DONE, 0, DONE.length);
  }

  @Override
  public boolean isFinished() {
    return finish != null;
  }

  @Override
  public Event.Finished finish() {
    Finish heldFinish = Objects.requireNonNull(finish);
    return new Event.Finished(
        StopReasons.CHAT.of(heldFinish.finishReason, hasCalls, hasRefusal),
        heldFinish.nativeReason,
        heldFinish.frame);
  }

  @Override
  public void readFrame(Json document, byte[] bytes, String name) {
    if (!(document instanceof Json.Obj frame)) {
      queueProtocolFailure(
          "the upstream sent a frame of type " + document.kind() + " instead of an object");
      return;
    }
    Json.Arr choices = frame.list("choices");
    if (name.equals("error") || isError(frame, choices)) {
      addError(frame);
    } else if (choices == null || choices.isEmpty()) {
      addFrameWithoutChoices(frame);
    } else if (choices.size() == 1) {
      readChoice(frame, choices.get(0), bytes);
    } else {
      splitChoices(frame, choices, bytes);
    }
  }

  private static boolean isError(Json.Obj frame, Json.@Nullable Arr choices) {
    Json error = frame.get("error");
    return error instanceof Json.Obj
        || error instanceof Json.Str
        || choices == null && "error".equals(frame.text("object"));
  }

  private void addError(Json.Obj frame) {
    queueFailure(
        UpstreamErrorClassifier.failureInAnswer(ErrorBody.ofErrorDocument(frame), credential));
  }

  private void addFrameWithoutChoices(Json.Obj frame) {
    Json.Obj usage = frame.object("usage");
    if (usage == null) {
      addWithoutContent(frame);
    } else {
      addUsage(usage, frame);
    }
  }

  private void addUsage(Json.Obj usage, Json.Obj frame) {
    events.add(new Event.UsageReport(ChatUsageReader.of(usage), frame));
    if (finish != null) {
      events.add(finish());
    }
  }

  /**
   * Adds a frame without content. Before the first content, such a frame must not become a content
   * event, since that would commit the stream.
   */
  private void addWithoutContent(Json.Obj frame) {
    events.add(hasContent ? new Event.OtherContent(frame) : new Event.Started(frame));
  }

  /** Splits a frame with several choices; the last one keeps the usage and unknown members. */
  private void splitChoices(Json.Obj frame, Json.Arr choices, byte[] bytes) {
    Json.Obj frameWithoutUsage = frame.without("usage");
    int last = choices.size() - 1;
    for (int i = 0; i < last; i++) {
      Json.Obj frameOfChoice =
          ChatDeltaSplitter.envelopeOf(frameWithoutUsage)
              .with("choices", Json.array(choices.get(i)));
      readChoice(frameOfChoice, choices.get(i), bytes);
    }
    readChoice(frame.with("choices", Json.array(choices.get(last))), choices.get(last), bytes);
  }

  private void readChoice(Json.Obj frame, Json item, byte[] bytes) {
    if (!(item instanceof Json.Obj choice)) {
      queueProtocolFailure(
          "the upstream sent a choice of type " + item.kind() + " instead of an object");
      return;
    }
    var splitter = new ChatDeltaSplitter(frame, choice);
    if (choice.longValue("index", 0) != 0 && !splitter.isEmptyFrame()) {
      passOnChoice(frame);
      return;
    }
    for (int i = 0; i < splitter.deltaItems().size(); i++) {
      addItem(splitter, i, bytes);
      hasContent = hasContent || events.getLast().isContent();
    }
    String finishReason = splitter.finishReason();
    Json.Obj usage = splitter.usage();
    if (finishReason != null) {
      holdFinish(splitter, finishReason);
    } else if (splitter.deltaItems().isEmpty() && usage == null) {
      addWithoutContent(frame);
    }
    if (usage != null) {
      addUsage(usage, splitter.usageFrame());
    }
  }

  /** Holds the finish back, or queues a failure if the answer ended with an error. */
  private void holdFinish(ChatDeltaSplitter splitter, String finishReason) {
    hasContent = true;
    if (finishReason.equals("error")) {
      queueFailure(
          Failure.of(FailureKind.UNAVAILABLE, "the upstream ended its answer with an error"));
    } else {
      finish = new Finish(finishReason, splitter.nativeFinishReason(), splitter.finishFrame());
    }
  }

  /** Passes on a choice other than the first unchanged, since the engine models only one. */
  private void passOnChoice(Json.Obj frame) {
    hasContent = true;
    Json.Obj usage = frame.object("usage");
    events.add(new Event.OtherContent(usage == null ? frame : frame.without("usage")));
    if (usage != null) {
      addUsage(
          usage,
          ChatDeltaSplitter.envelopeOf(frame).with("choices", Json.array()).with("usage", usage));
    }
  }

  private void addItem(ChatDeltaSplitter splitter, int index, byte[] bytes) {
    ChatDeltaSplitter.DeltaItem item = splitter.deltaItems().get(index);
    Json.Obj frame = splitter.frameOf(index);
    switch (item.member()) {
      case "content", "reasoning", "reasoning_content" -> addText(item, frame, splitter, bytes);
      case "tool_calls" -> addCall(item.value(), frame);
      case "annotations" -> addAnnotation(item.value(), frame);
      case "reasoning_details" ->
          addReasoningDetail(item.value(), frame, splitter.hasPlainReasoning());
      case "refusal" -> {
        hasRefusal = true;
        events.add(
            item.value() instanceof Json.Str text
                ? new Event.RefusalDelta(text, frame)
                : new Event.OtherContent(frame));
      }
      default -> events.add(new Event.OtherContent(frame));
    }
  }

  private void addText(
      ChatDeltaSplitter.DeltaItem item, Json.Obj frame, ChatDeltaSplitter splitter, byte[] bytes) {
    if (!(item.value() instanceof Json.Str text)) {
      events.add(new Event.OtherContent(frame));
      return;
    }
    boolean isReasoning = !item.member().equals("content");
    FrameSurroundings surroundings =
        splitter.isSingleItem() && frame.sourceLength() > 0
            ? FrameSurroundings.ofSent(Dialect.CHAT, frame, text, bytes)
            : null;
    if (surroundings == null) {
      surroundings =
          FrameSurroundings.ofEdited(Dialect.CHAT, frame, "choices", "delta", item.member());
    } else {
      pattern.remember(surroundings, isReasoning);
    }
    if (isReasoning) {
      addReasoning(text, splitter.readableDetail(), surroundings.template());
    } else {
      events.add(new Event.TextDelta(text, surroundings.template()));
    }
  }

  /**
   * Adds a piece of reasoning, and before it the start of a block if the piece begins one.
   *
   * @param item the {@code reasoning_details} item with the same text; null when there is none
   */
  private void addReasoning(Json.Str text, Json.@Nullable Obj item, FrameTemplate template) {
    ReasoningDetailItem detail = item == null ? null : ReasoningDetailItem.of(item);
    if (item == null || detail == null) {
      events.add(new Event.ReasoningDelta(text, template));
      return;
    }
    ReasoningItem current = ReasoningItem.of(detail, item);
    if (reasoningItem != null && current.startsBlockAfter(reasoningItem)) {
      events.add(new Event.BlockStart(Event.BlockStart.Kind.REASONING, null));
    }
    reasoningItem = current;
    events.add(
        new Event.ReasoningDelta(text, current.isSummary, current.format, current.id, template));
  }

  /**
   * Adds the event for one item of {@code reasoning_details}.
   *
   * @param isPassedOn whether the frame also has the text as plain reasoning, which is passed on
   *     instead of the detail
   */
  private void addReasoningDetail(Json item, Json.Obj frame, boolean isPassedOn) {
    ReasoningDetailItem detail =
        item instanceof Json.Obj object ? ReasoningDetailItem.of(object) : null;
    if (detail == null) {
      events.add(new Event.OtherContent(frame));
    } else if (detail.kind() == Part.Thinking.Kind.ENCRYPTED) {
      events.add(new Event.EncryptedReasoning(detail.text(), detail.format(), detail.id(), frame));
    } else if (detail.signature() != null) {
      events.add(new Event.ReasoningSignature(detail.signature(), detail.format(), frame));
    } else if (isPassedOn || detail.text().isEmpty()) {
      events.add(new Event.OtherContent(frame));
    } else {
      Json.Obj frameWithReasoning = ChatDeltaSplitter.withReasoning(frame, detail.text());
      FrameSurroundings surroundings =
          FrameSurroundings.ofEdited(
              Dialect.CHAT, frameWithReasoning, "choices", "delta", "reasoning");
      addReasoning(detail.text(), (Json.Obj) item, surroundings.template());
    }
  }

  private void addCall(Json item, Json.Obj frame) {
    hasCalls = true;
    if (!(item instanceof Json.Obj call)) {
      events.add(new Event.OtherContent(frame));
      return;
    }
    Json.Obj function = call.object("function");
    String name = function == null ? null : function.text("name");
    events.add(
        new Event.ToolCallDelta(
            Math.clamp(call.longValue("index", 0), 0, Integer.MAX_VALUE),
            call.text("id"),
            name == null ? null : names.toOriginal(name),
            ChatAnswerReader.arguments(function == null ? null : function.get("arguments")),
            frame));
  }

  private void addAnnotation(Json item, Json.Obj frame) {
    events.add(
        item instanceof Json.Obj body
            ? new Event.Annotation(body, frame)
            : new Event.OtherContent(frame));
  }
}
