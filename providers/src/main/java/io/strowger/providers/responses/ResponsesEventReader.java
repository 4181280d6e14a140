package io.strowger.providers.responses;

import io.strowger.providers.translate.Citations;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.StopReasons;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.FrameSurroundings;
import io.strowger.providers.upstream.UpstreamErrorClassifier;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Credential;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of one stream into events; each frame is carried by exactly one event. A frame
 * that only begins, ends or repeats content is a block start or a {@link Event.BlockStop}; an
 * unmodelled frame is a {@link Event.Started} until content comes, since it must not commit the
 * stream, and an {@link Event.OtherContent} from then on. Frames are numbered, so no two are equal.
 * Deltas that differ only in number, text and padding are recognised without being parsed.
 *
 * <p>Also reads upstreams that send the text of a piece only in its last frame.
 */
final class ResponsesEventReader implements EventReader {
  /** The limit of pieces of text, which are all remembered; an answer has a handful. */
  private static final int MAX_PIECES = 10_000;

  private final Deque<Event> events = new ArrayDeque<>();
  private final Credential credential;
  private final FunctionCalls calls;
  private final boolean readsFrames;

  /** The keys of the pieces whose text was passed on. */
  private final Set<String> startedPieces = new HashSet<>();

  private @Nullable DeltaPattern pattern;
  private boolean hasContent;
  private boolean hasRefusal;

  /** The kind of a piece of text. */
  enum PieceKind {
    TEXT,
    SUMMARY,
    REASONING,
    REFUSAL
  }

  /**
   * @param names maps the upstream's tool names to the caller's
   * @param readsFrames whether the reader of the events also needs their original frames, which
   *     hold the log probabilities
   */
  ResponsesEventReader(Credential credential, SafeNames names, boolean readsFrames) {
    this.credential = credential;
    this.calls = new FunctionCalls(names, this::add);
    this.readsFrames = readsFrames;
  }

  @Override
  public Deque<Event> queue() {
    return events;
  }

  @Override
  public @Nullable Event tryMatch(byte[] buffer, int start, int end) {
    return pattern == null ? null : pattern.match(buffer, start, end);
  }

  /**
   * Returns false, since the end of an answer is an ordinary event in this dialect and is not held
   * back.
   */
  @Override
  public boolean isFinished() {
    return false;
  }

  @Override
  public Event finish() {
    throw new IllegalStateException("this dialect does not hold back a terminal event");
  }

  @Override
  public void readFrame(Json document, byte[] bytes, String name) {
    if (!(document instanceof Json.Obj frame)) {
      queueProtocolFailure(
          "the upstream sent a frame of type " + document.kind() + " instead of an object");
      return;
    }
    String frameType = Objects.requireNonNullElse(frame.text("type"), name);
    String type = name.equals("error") ? name : frameType;
    switch (type) {
      case "response.created", "response.in_progress", "response.queued" ->
          addWithoutContent(frame);
      case "response.output_item.added" -> beginItem(frame);
      case "response.output_item.done" -> endItem(frame);
      case "response.content_part.added" -> beginPart(frame);
      case "response.reasoning_summary_part.added" ->
          startBlock(Event.BlockStart.Kind.REASONING, frame);
      case "response.content_part.done", "response.reasoning_summary_part.done" -> stopBlock(frame);
      case "response.function_call_arguments.delta" ->
          passIfUnknown(calls.addArguments(frame), frame);
      case "response.function_call_arguments.done" ->
          passIfUnknown(calls.completeArguments(frame), frame);
      case "response.output_text.annotation.added" -> addAnnotation(frame);
      case "response.completed", "response.incomplete", "response.failed", "response.cancelled" ->
          endResponse(type, frame);
      case "error" -> failWith(frame);
      default -> readContentFrame(type, frame, bytes);
    }
  }

  private void readContentFrame(String type, Json.Obj frame, byte[] bytes) {
    switch (type) {
      case "response.output_text.delta" -> readDelta(PieceKind.TEXT, frame, bytes);
      case "response.reasoning_text.delta" -> readDelta(PieceKind.REASONING, frame, bytes);
      case "response.reasoning_summary_text.delta" -> readDelta(PieceKind.SUMMARY, frame, bytes);
      case "response.refusal.delta" -> readDelta(PieceKind.REFUSAL, frame, bytes);
      case "response.output_text.done" -> finishPiece(PieceKind.TEXT, "text", frame);
      case "response.reasoning_text.done" -> finishPiece(PieceKind.REASONING, "text", frame);
      case "response.reasoning_summary_text.done" -> finishPiece(PieceKind.SUMMARY, "text", frame);
      case "response.refusal.done" -> finishPiece(PieceKind.REFUSAL, "refusal", frame);
      default -> readUnmodelled(frame);
    }
  }

  private void readUnmodelled(Json.Obj frame) {
    if (!frame.has("type") && ErrorBody.of(frame) != null) {
      failWith(frame);
    } else {
      addWithoutContent(frame);
    }
  }

  private void add(Event event) {
    hasContent = hasContent || event.isContent();
    events.add(event);
  }

  private void failWith(Json.Obj frame) {
    queueFailure(
        UpstreamErrorClassifier.failureInAnswer(ErrorBody.ofErrorDocument(frame), credential));
  }

  /**
   * Adds a frame without content as an event that does not commit the stream, as long as no content
   * has come.
   */
  private void addWithoutContent(Json.Obj frame) {
    add(hasContent ? new Event.OtherContent(frame) : new Event.Started(frame));
  }

  private void startBlock(Event.BlockStart.Kind kind, Json.Obj frame) {
    add(new Event.BlockStart(kind, frame));
  }

  private void stopBlock(Json.Obj frame) {
    add(new Event.BlockStop(frame));
  }

  /** Passes a frame about an unknown function call on unchanged. */
  private void passIfUnknown(boolean isKnownCall, Json.Obj frame) {
    if (!isKnownCall) {
      addWithoutContent(frame);
    }
  }

  /** Begins an item; content of messages and reasoning begins only with their parts. */
  private void beginItem(Json.Obj frame) {
    Json.Obj item = frame.object("item");
    switch (item == null ? null : item.text("type")) {
      case "message", "reasoning" -> stopBlock(frame);
      case "function_call" -> calls.begin(frame, Objects.requireNonNull(item));
      case null, default -> addWithoutContent(frame);
    }
  }

  private void endItem(Json.Obj frame) {
    Json.Obj item = frame.object("item");
    switch (item == null ? null : item.text("type")) {
      case "message" -> stopBlock(frame);
      case "reasoning" -> endReasoning(frame, Objects.requireNonNull(item));
      case "function_call" -> calls.end(frame, Objects.requireNonNull(item));
      case null -> addWithoutContent(frame);
      default -> add(new Event.OtherContent(frame)); // content in itself, such as an image
    }
  }

  private void endReasoning(Json.Obj frame, Json.Obj item) {
    Json.Str encrypted = ResponsesReasoningItem.encrypted(item);
    add(
        encrypted == null
            ? new Event.BlockStop(frame)
            : new Event.EncryptedReasoning(
                encrypted, ResponsesReasoningItem.FORMAT, item.text("id"), frame));
  }

  private void beginPart(Json.Obj frame) {
    Json.Obj part = frame.object("part");
    switch (part == null ? null : part.text("type")) {
      case "output_text" -> startBlock(Event.BlockStart.Kind.TEXT, frame);
      case "refusal" -> startBlock(Event.BlockStart.Kind.REFUSAL, frame);
      case "reasoning_text" -> startBlock(Event.BlockStart.Kind.REASONING, frame);
      case null, default -> addWithoutContent(frame);
    }
  }

  private void readDelta(PieceKind kind, Json.Obj frame, byte[] bytes) {
    if (!(frame.get("delta") instanceof Json.Str text)) {
      addWithoutContent(frame);
      return;
    }
    if (!text.isEmpty()) {
      markStarted(kind, frame);
    }
    if (kind == PieceKind.REFUSAL) {
      hasRefusal = true;
      add(new Event.RefusalDelta(text, frame));
      return;
    }
    FrameSurroundings originalSurroundings =
        FrameSurroundings.ofSent(Dialect.RESPONSES, frame, text, bytes);
    FrameSurroundings surroundings =
        originalSurroundings == null
            ? FrameSurroundings.ofEdited(Dialect.RESPONSES, frame, "delta")
            : originalSurroundings;
    if (originalSurroundings != null && !text.isEmpty()) {
      pattern = DeltaPattern.of(kind, frame, bytes, originalSurroundings, readsFrames);
    }
    addText(kind, text, frame, surroundings.template());
    addLogprobs(frame);
  }

  /** Ends a piece; if no delta brought its text, the text is passed on now, without a frame. */
  private void finishPiece(PieceKind kind, String member, Json.Obj frame) {
    if (frame.get(member) instanceof Json.Str text && !text.isEmpty() && markStarted(kind, frame)) {
      addText(kind, text, frame, null);
      addLogprobs(frame);
    }
    stopBlock(frame);
  }

  private void addText(
      PieceKind kind, Json.Str text, Json.Obj frame, @Nullable FrameTemplate template) {
    switch (kind) {
      case TEXT -> add(new Event.TextDelta(text, template));
      case SUMMARY -> add(ResponsesReasoningItem.delta(text, true, frame, template));
      case REASONING -> add(ResponsesReasoningItem.delta(text, false, frame, template));
      case REFUSAL -> {
        hasRefusal = true;
        add(new Event.RefusalDelta(text, null));
      }
    }
  }

  /**
   * Remembers that text of a piece is passed on; returns false when earlier text of the piece was
   * passed on already.
   */
  private boolean markStarted(PieceKind kind, Json.Obj frame) {
    boolean first = startedPieces.add(pieceKey(kind, frame));
    if (startedPieces.size() > MAX_PIECES) {
      queueProtocolFailure("the upstream sent more than " + MAX_PIECES + " pieces of text");
    }
    return first;
  }

  private static String pieceKey(PieceKind kind, Json.Obj frame) {
    String indexName = kind == PieceKind.SUMMARY ? "summary_index" : "content_index";
    return kind + "/" + frame.longValue("output_index", 0) + "/" + frame.longValue(indexName, 0);
  }

  private void addLogprobs(Json.Obj frame) {
    Json.Arr logprobs = frame.list("logprobs");
    if (!readsFrames && logprobs != null && !logprobs.isEmpty()) {
      add(new Event.Logprobs(logprobs));
    }
  }

  private void addAnnotation(Json.Obj frame) {
    Json annotation = frame.get("annotation");
    if (annotation == null) {
      addWithoutContent(frame);
      return;
    }
    Json.Obj citation = Citations.ofFlat(annotation);
    add(citation == null ? new Event.OtherContent(frame) : new Event.Annotation(citation, frame));
  }

  private void endResponse(String type, Json.Obj frame) {
    Json.Obj response = frame.object("response");
    if (response == null) {
      queueProtocolFailure("the upstream sent the end of a response without the response");
      return;
    }
    Usage usage = ResponsesUsageReader.of(response);
    if (usage != null) {
      add(new Event.UsageReport(usage, null));
    }
    if (type.equals("response.failed") || type.equals("response.cancelled")) {
      ErrorBody error = ErrorBody.of(response);
      queueFailure(
          UpstreamErrorClassifier.failureInAnswer(
              error == null ? ErrorBody.NONE : error, credential));
    } else {
      add(finished(type, response, frame));
    }
  }

  private Event finished(String type, Json.Obj response, Json.Obj frame) {
    String reported = ResponsesAnswerReader.stopReason(response);
    String word = reported == null ? type.substring(type.indexOf('.') + 1) : reported;
    StopReason reason = StopReasons.RESPONSES.of(word, calls.hasCalls(), hasRefusal);
    return new Event.Finished(reason, word, frame);
  }
}
