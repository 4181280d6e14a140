package io.strowger.providers.messages;

import io.strowger.providers.translate.Citations;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.FrameSurroundings;
import io.strowger.providers.upstream.TextPattern;
import io.strowger.providers.upstream.UpstreamErrorClassifier;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Event.BlockStart.Kind;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.provider.Credential;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of one stream into events. Keeps the state that later events depend on: the kind
 * of each open block, the calls, the usage so far, and the ending, which is held back until {@code
 * message_stop} or the end of the body.
 */
final class MessagesEventReader implements EventReader {
  /** The limit of open blocks; blocks follow each other, so few are open at once. */
  private static final int MAX_OPEN = 1_024;

  private final Deque<Event> events = new ArrayDeque<>();
  private final TextPattern pattern = new TextPattern(MessagesCodec.FORMAT);
  private final AnswerMapping answerMapping;
  private final Credential credential;
  private final Map<Long, Block> blocks = new HashMap<>();
  private int calls;
  private boolean started;
  private boolean hasContent;
  private Json.Obj usage = Json.Obj.EMPTY;
  private boolean finished;
  private Json.@Nullable Obj ending; // the message_delta with the stop reason

  /**
   * A block that has begun.
   *
   * @param call the index of its call, from 0; -1 when it is not a call
   */
  private record Block(BlockKind kind, int call) {}

  private enum BlockKind {
    /** Text or reasoning. */
    TEXT,
    CALL,
    /** The call of the answer tool, whose input is the answer. */
    ANSWER,
    /** Any other kind; its frames are passed on unchanged. */
    OTHER
  }

  private static final Block TEXT_BLOCK = new Block(BlockKind.TEXT, -1);
  private static final Block ANSWER_BLOCK = new Block(BlockKind.ANSWER, -1);
  private static final Block OTHER_BLOCK = new Block(BlockKind.OTHER, -1);

  MessagesEventReader(AnswerMapping answerMapping, Credential credential) {
    this.answerMapping = answerMapping;
    this.credential = credential;
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
  public boolean isFinished() {
    return finished;
  }

  @Override
  public Event.Finished finish() {
    Json.Obj delta = ending == null ? null : ending.object("delta");
    return new Event.Finished(
        MessagesAnswerReader.stopReason(delta, calls > 0),
        delta == null ? null : delta.text("stop_reason"),
        ending);
  }

  @Override
  public void readFrame(Json document, byte[] bytes, String name) {
    if (!(document instanceof Json.Obj frame)) {
      queueProtocolFailure(
          "the upstream sent a frame of type " + document.kind() + " instead of an object");
      return;
    }
    String type = Objects.requireNonNullElse(frame.text("type"), name);
    switch (type) {
      case "message_start" -> beginMessage(frame);
      case "content_block_start" -> startBlock(frame);
      case "content_block_delta" -> readDelta(frame, bytes);
      case "content_block_stop" -> stopBlock(frame);
      case "message_delta" -> readMessageDelta(frame);
      case "message_stop" -> end();
      case "ping" -> {} // only keeps the connection open
      case "error" ->
          queueFailure(
              UpstreamErrorClassifier.failureInAnswer(
                  ErrorBody.ofErrorDocument(frame), credential));
      default -> readUnknown(frame);
    }
  }

  /** Ends the answer; queues a failure when no answer has begun. */
  private void end() {
    if (started || hasContent || finished) {
      finished = true;
      events.add(finish());
    } else {
      queueProtocolFailure("the upstream sent the end of the answer before its beginning");
    }
  }

  /** Handles a frame of unknown type; some upstreams send errors in frames without a type. */
  private void readUnknown(Json.Obj frame) {
    if (frame.object("error") != null) {
      queueFailure(
          UpstreamErrorClassifier.failureInAnswer(ErrorBody.ofErrorDocument(frame), credential));
    } else {
      addWithoutContent(frame);
    }
  }

  /**
   * Adds a frame without content as an event that does not commit the stream, as long as no content
   * has come.
   */
  private void addWithoutContent(Json.Obj frame) {
    events.add(hasContent ? new Event.OtherContent(frame) : new Event.Started(frame));
  }

  private void beginMessage(Json.Obj frame) {
    events.add(new Event.Started(frame));
    Json.Obj message = frame.object("message");
    started = started || message != null;
    reportUsage(message == null ? null : message.object("usage"));
  }

  private void reportUsage(Json.@Nullable Obj report) {
    if (report != null) {
      usage = MessagesUsageReader.merge(usage, report);
      events.add(new Event.UsageReport(MessagesUsageReader.of(usage), null));
    }
  }

  private void readMessageDelta(Json.Obj frame) {
    reportUsage(frame.object("usage"));
    Json.Obj delta = frame.object("delta");
    if (delta != null && delta.get("stop_reason") instanceof Json.Str) {
      finished = true;
      ending = frame;
      String explanation = MessagesAnswerReader.explanation(delta);
      if (answerMapping.translated() && !explanation.isEmpty()) {
        events.add(new Event.RefusalDelta(Json.of(explanation), null));
      }
    }
  }

  private static long index(Json.Obj frame) {
    return frame.longValue("index", 0);
  }

  private void registerBlock(Json.Obj frame, Block block) {
    hasContent = true;
    blocks.put(index(frame), block);
  }

  private void startBlock(Json.Obj frame) {
    if (blocks.size() == MAX_OPEN) {
      queueProtocolFailure("the upstream sent more than " + MAX_OPEN + " blocks that do not end");
      return;
    }
    Json.Obj block = Objects.requireNonNullElse(frame.object("content_block"), Json.Obj.EMPTY);
    if (block.size() == 0) {
      addWithoutContent(frame);
      return;
    }
    switch (Objects.requireNonNullElse(block.text("type"), "")) {
      case "text" -> startText(Kind.TEXT, "text", frame, block);
      case "thinking" -> startText(Kind.REASONING, "thinking", frame, block);
      case "tool_use" -> startCall(frame, block);
      case "redacted_thinking" -> {
        registerBlock(frame, TEXT_BLOCK);
        Json.Str data = block.get("data") instanceof Json.Str text ? text : Json.of("");
        events.add(new Event.EncryptedReasoning(data, MessagesCodec.FORMAT, null, frame));
      }
      default -> {
        registerBlock(frame, OTHER_BLOCK);
        events.add(new Event.OtherContent(frame));
      }
    }
  }

  /** Begins a block of text or reasoning; text in its first frame becomes the first delta. */
  private void startText(Kind kind, String member, Json.Obj frame, Json.Obj block) {
    registerBlock(frame, TEXT_BLOCK);
    if (!(block.get(member) instanceof Json.Str text) || text.isEmpty()) {
      events.add(new Event.BlockStart(kind, frame));
      return;
    }
    Json.Obj empty = frame.with("content_block", block.with(member, Json.of("")));
    events.add(new Event.BlockStart(kind, empty));
    events.add(kind == Kind.TEXT ? new Event.TextDelta(text, null) : reasoningDelta(text, null));
  }

  private void startCall(Json.Obj frame, Json.Obj block) {
    String name = Objects.requireNonNullElse(block.text("name"), "");
    Json.Obj input = Objects.requireNonNullElse(block.object("input"), Json.Obj.EMPTY);
    boolean hasInput = input.size() > 0;
    if (answerMapping.isAnswerTool(name)) {
      registerBlock(frame, ANSWER_BLOCK);
      events.add(new Event.BlockStart(Kind.TEXT, null));
      if (hasInput) {
        events.add(new Event.TextDelta(inputText(input), null));
      }
      return;
    }
    registerBlock(frame, new Block(BlockKind.CALL, calls));
    String original = answerMapping.names().toOriginal(name);
    Json.Obj frameWithoutInput =
        hasInput ? frame.with("content_block", block.with("input", Json.Obj.EMPTY)) : frame;
    events.add(
        new Event.ToolCallDelta(
            calls,
            Objects.requireNonNullElse(block.text("id"), ""),
            original,
            Json.of(""),
            original.equals(name) ? frameWithoutInput : null));
    if (hasInput) {
      events.add(new Event.ToolCallDelta(calls, null, null, inputText(input), null));
    }
    calls++;
  }

  /** Returns the input in the first frame of a call as the text that deltas would have. */
  private static Json.Str inputText(Json input) {
    return Json.of(new String(input.toBytes(), StandardCharsets.UTF_8));
  }

  private void readDelta(Json.Obj frame, byte[] bytes) {
    Block block = blocks.getOrDefault(index(frame), TEXT_BLOCK);
    Json.Obj delta = Objects.requireNonNullElse(frame.object("delta"), Json.Obj.EMPTY);
    if (delta.size() == 0) {
      addWithoutContent(frame);
      return;
    }
    hasContent = true;
    String type = Objects.requireNonNullElse(delta.text("type"), "");
    if (block.kind == BlockKind.OTHER) {
      events.add(new Event.OtherContent(frame));
      return;
    }
    switch (type) {
      case "text_delta" -> addText("text", delta, frame, bytes);
      case "thinking_delta" -> addText("thinking", delta, frame, bytes);
      case "signature_delta" -> addSignature(delta, frame);
      case "input_json_delta" -> addInput(block, delta, frame);
      case "citations_delta" -> addCitation(delta, frame);
      default -> events.add(new Event.OtherContent(frame));
    }
  }

  private void addText(String member, Json.Obj delta, Json.Obj frame, byte[] bytes) {
    if (!(delta.get(member) instanceof Json.Str text)) {
      events.add(new Event.OtherContent(frame));
      return;
    }
    boolean isReasoning = member.equals("thinking");
    FrameSurroundings surroundings = FrameSurroundings.ofSent(Dialect.MESSAGES, frame, text, bytes);
    if (surroundings == null) {
      surroundings = FrameSurroundings.ofEdited(Dialect.MESSAGES, frame, "delta", member);
    } else {
      pattern.remember(surroundings, isReasoning);
    }
    events.add(
        isReasoning
            ? reasoningDelta(text, surroundings.template())
            : new Event.TextDelta(text, surroundings.template()));
  }

  private static Event reasoningDelta(Json.Str text, @Nullable FrameTemplate template) {
    return new Event.ReasoningDelta(text, false, MessagesCodec.FORMAT, null, template);
  }

  private void addSignature(Json.Obj delta, Json.Obj frame) {
    events.add(
        delta.get("signature") instanceof Json.Str signature && !signature.isEmpty()
            ? new Event.ReasoningSignature(signature, MessagesCodec.FORMAT, frame)
            : new Event.OtherContent(frame));
  }

  /** Passes on a piece of arguments at once, without waiting for later pieces. */
  private void addInput(Block block, Json.Obj delta, Json.Obj frame) {
    Json.Str piece = delta.get("partial_json") instanceof Json.Str text ? text : Json.of("");
    switch (block.kind) {
      case CALL -> events.add(new Event.ToolCallDelta(block.call, null, null, piece, frame));
      case ANSWER -> events.add(new Event.TextDelta(piece, null));
      case TEXT, OTHER -> events.add(new Event.OtherContent(frame));
    }
  }

  private void addCitation(Json.Obj delta, Json.Obj frame) {
    Json citation = delta.get("citation");
    Json.Obj body = citation == null ? null : Citations.ofPage(citation);
    events.add(body == null ? new Event.OtherContent(frame) : new Event.Annotation(body, frame));
  }

  private void stopBlock(Json.Obj frame) {
    Block block = blocks.remove(index(frame));
    if (block == null) {
      block = TEXT_BLOCK;
    }
    switch (block.kind) {
      case TEXT, CALL -> events.add(new Event.BlockStop(frame));
      case ANSWER -> events.add(new Event.BlockStop(null));
      case OTHER -> events.add(new Event.OtherContent(frame));
    }
  }
}
