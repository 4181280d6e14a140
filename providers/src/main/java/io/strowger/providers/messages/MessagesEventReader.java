package io.strowger.providers.messages;

import io.strowger.providers.translate.Citations;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.FrameSurroundings;
import io.strowger.providers.upstream.TextPattern;
import io.strowger.providers.upstream.TransportErrorClassifier;
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
  private boolean begun;
  private boolean content;
  private Json.Obj usage = Json.Obj.EMPTY;
  private boolean finished;
  private Json.@Nullable Obj ending; // the message_delta with the stop reason

  /**
   * A block that has begun.
   *
   * @param call the index of its call, from 0; -1 when it is not a call
   */
  private record Block(Sort sort, int call) {}

  private enum Sort {
    /** Text or reasoning. */
    SAID,
    CALL,
    /** The call of the answer tool, whose input is the answer. */
    ANSWER,
    /** A kind that the engine does not model. */
    OTHER
  }

  private static final Block SAID = new Block(Sort.SAID, -1);
  private static final Block ANSWER = new Block(Sort.ANSWER, -1);
  private static final Block OTHER = new Block(Sort.OTHER, -1);

  MessagesEventReader(AnswerMapping answerMapping, Credential credential) {
    this.answerMapping = answerMapping;
    this.credential = credential;
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
  public boolean finished() {
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
  public void frame(Json document, byte[] bytes, String name) {
    if (!(document instanceof Json.Obj frame)) {
      failed(
          TransportErrorClassifier.protocol("a frame that is no object, but " + document.kind()));
      return;
    }
    String type = Objects.requireNonNullElse(frame.text("type"), name);
    switch (type) {
      case "message_start" -> begin(frame);
      case "content_block_start" -> start(frame);
      case "content_block_delta" -> delta(frame, bytes);
      case "content_block_stop" -> stop(frame);
      case "message_delta" -> messageDelta(frame);
      case "message_stop" -> end();
      case "ping" -> {} // only keeps the connection open
      case "error" ->
          failed(UpstreamErrorClassifier.reported(ErrorBody.announced(frame), credential));
      default -> other(frame);
    }
  }

  /** Ends the answer; queues a failure when no answer has begun. */
  private void end() {
    if (begun || content || finished) {
      finished = true;
      events.add(finish());
    } else {
      failed(TransportErrorClassifier.protocol("an end before a beginning"));
    }
  }

  /** Handles a frame of unknown type; some upstreams send errors in frames without a type. */
  private void other(Json.Obj frame) {
    if (frame.object("error") != null) {
      failed(UpstreamErrorClassifier.reported(ErrorBody.announced(frame), credential));
    } else {
      silent(frame);
    }
  }

  /**
   * Adds a frame without content as an event that does not commit the stream, as long as no content
   * has come.
   */
  private void silent(Json.Obj frame) {
    events.add(content ? new Event.UnmodelledContent(frame) : new Event.Started(frame));
  }

  private void begin(Json.Obj frame) {
    events.add(new Event.Started(frame));
    Json.Obj message = frame.object("message");
    begun = begun || message != null;
    used(message == null ? null : message.object("usage"));
  }

  private void used(Json.@Nullable Obj now) {
    if (now != null) {
      usage = MessagesUsageReader.latest(usage, now);
      events.add(new Event.UsageReport(MessagesUsageReader.of(usage), null));
    }
  }

  private void messageDelta(Json.Obj frame) {
    used(frame.object("usage"));
    Json.Obj delta = frame.object("delta");
    if (delta != null && delta.get("stop_reason") instanceof Json.Str) {
      finished = true;
      ending = frame;
      String explanation = MessagesAnswerReader.explanation(delta);
      if (answerMapping.foreign() && !explanation.isEmpty()) {
        events.add(new Event.RefusalDelta(Json.of(explanation), null));
      }
    }
  }

  private static long index(Json.Obj frame) {
    return frame.whole("index", 0);
  }

  private void begun(Json.Obj frame, Block block) {
    content = true;
    blocks.put(index(frame), block);
  }

  private void start(Json.Obj frame) {
    if (blocks.size() == MAX_OPEN) {
      failed(
          TransportErrorClassifier.protocol("more than " + MAX_OPEN + " blocks that do not end"));
      return;
    }
    Json.Obj block = Objects.requireNonNullElse(frame.object("content_block"), Json.Obj.EMPTY);
    if (block.size() == 0) {
      silent(frame);
      return;
    }
    switch (Objects.requireNonNullElse(block.text("type"), "")) {
      case "text" -> said(Kind.TEXT, "text", frame, block);
      case "thinking" -> said(Kind.REASONING, "thinking", frame, block);
      case "tool_use" -> call(frame, block);
      case "redacted_thinking" -> {
        begun(frame, SAID);
        Json.Str data = block.get("data") instanceof Json.Str given ? given : Json.of("");
        events.add(new Event.EncryptedReasoning(data, MessagesCodec.FORMAT, null, frame));
      }
      default -> {
        begun(frame, OTHER);
        events.add(new Event.UnmodelledContent(frame));
      }
    }
  }

  /** Begins a block of text or reasoning; text in its first frame becomes the first delta. */
  private void said(Kind kind, String member, Json.Obj frame, Json.Obj block) {
    begun(frame, SAID);
    if (!(block.get(member) instanceof Json.Str text) || text.isEmpty()) {
      events.add(new Event.BlockStart(kind, frame));
      return;
    }
    Json.Obj empty = frame.with("content_block", block.with(member, Json.of("")));
    events.add(new Event.BlockStart(kind, empty));
    events.add(kind == Kind.TEXT ? new Event.TextDelta(text, null) : thought(text, null));
  }

  private void call(Json.Obj frame, Json.Obj block) {
    String name = Objects.requireNonNullElse(block.text("name"), "");
    Json.Obj given = Objects.requireNonNullElse(block.object("input"), Json.Obj.EMPTY);
    boolean whole = given.size() > 0;
    if (answerMapping.isAnswer(name)) {
      begun(frame, ANSWER);
      events.add(new Event.BlockStart(Kind.TEXT, null));
      if (whole) {
        events.add(new Event.TextDelta(written(given), null));
      }
      return;
    }
    begun(frame, new Block(Sort.CALL, calls));
    String original = answerMapping.names().original(name);
    Json.Obj bare =
        whole ? frame.with("content_block", block.with("input", Json.Obj.EMPTY)) : frame;
    events.add(
        new Event.ToolCallDelta(
            calls,
            Objects.requireNonNullElse(block.text("id"), ""),
            original,
            Json.of(""),
            original.equals(name) ? bare : null));
    if (whole) {
      events.add(new Event.ToolCallDelta(calls, null, null, written(given), null));
    }
    calls++;
  }

  /** Returns the input in the first frame of a call as the text that deltas would have. */
  private static Json.Str written(Json input) {
    return Json.of(new String(input.toBytes(), StandardCharsets.UTF_8));
  }

  private void delta(Json.Obj frame, byte[] bytes) {
    Block block = blocks.getOrDefault(index(frame), SAID);
    Json.Obj delta = Objects.requireNonNullElse(frame.object("delta"), Json.Obj.EMPTY);
    if (delta.size() == 0) {
      silent(frame);
      return;
    }
    content = true;
    String type = Objects.requireNonNullElse(delta.text("type"), "");
    if (block.sort == Sort.OTHER) {
      events.add(new Event.UnmodelledContent(frame));
      return;
    }
    switch (type) {
      case "text_delta" -> text("text", delta, frame, bytes);
      case "thinking_delta" -> text("thinking", delta, frame, bytes);
      case "signature_delta" -> signature(delta, frame);
      case "input_json_delta" -> input(block, delta, frame);
      case "citations_delta" -> citation(delta, frame);
      default -> events.add(new Event.UnmodelledContent(frame));
    }
  }

  private void text(String member, Json.Obj delta, Json.Obj frame, byte[] bytes) {
    if (!(delta.get(member) instanceof Json.Str text)) {
      events.add(new Event.UnmodelledContent(frame));
      return;
    }
    boolean reasoning = member.equals("thinking");
    FrameSurroundings around = FrameSurroundings.sent(Dialect.MESSAGES, frame, text, bytes);
    if (around == null) {
      around = FrameSurroundings.edited(Dialect.MESSAGES, frame, "delta", member);
    } else {
      pattern.remember(around, reasoning);
    }
    events.add(
        reasoning
            ? thought(text, around.template())
            : new Event.TextDelta(text, around.template()));
  }

  private static Event thought(Json.Str text, @Nullable FrameTemplate template) {
    return new Event.ReasoningDelta(text, false, MessagesCodec.FORMAT, null, template);
  }

  private void signature(Json.Obj delta, Json.Obj frame) {
    events.add(
        delta.get("signature") instanceof Json.Str signature && !signature.isEmpty()
            ? new Event.ReasoningSignature(signature, MessagesCodec.FORMAT, frame)
            : new Event.UnmodelledContent(frame));
  }

  /** Passes on a piece of arguments at once, without waiting for the others. */
  private void input(Block block, Json.Obj delta, Json.Obj frame) {
    Json.Str piece = delta.get("partial_json") instanceof Json.Str text ? text : Json.of("");
    switch (block.sort) {
      case CALL -> events.add(new Event.ToolCallDelta(block.call, null, null, piece, frame));
      case ANSWER -> events.add(new Event.TextDelta(piece, null));
      case SAID, OTHER -> events.add(new Event.UnmodelledContent(frame));
    }
  }

  private void citation(Json.Obj delta, Json.Obj frame) {
    Json citation = delta.get("citation");
    Json.Obj body = citation == null ? null : Citations.ofPage(citation);
    events.add(
        body == null ? new Event.UnmodelledContent(frame) : new Event.Annotation(body, frame));
  }

  private void stop(Json.Obj frame) {
    Block block = blocks.remove(index(frame));
    if (block == null) {
      block = SAID;
    }
    switch (block.sort) {
      case SAID, CALL -> events.add(new Event.BlockStop(frame));
      case ANSWER -> events.add(new Event.BlockStop(null));
      case OTHER -> events.add(new Event.UnmodelledContent(frame));
    }
  }
}
