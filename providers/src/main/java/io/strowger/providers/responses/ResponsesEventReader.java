package io.strowger.providers.responses;

import io.strowger.providers.translate.Citations;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.StopReasons;
import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.FrameSurroundings;
import io.strowger.providers.upstream.TransportErrorClassifier;
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
 * stream, and an {@link Event.UnmodelledContent} from then on. Frames are numbered, so no two are
 * equal; deltas that differ in little else are not parsed.
 *
 * <p>Also reads upstreams that send the text of a piece only in its last frame.
 */
final class ResponsesEventReader implements EventReader {
  /** The limit of pieces, which are all remembered; an answer has a handful. */
  private static final int MAX_PIECES = 10_000;

  private final Deque<Event> events = new ArrayDeque<>();
  private final Credential credential;
  private final FunctionCalls calls;
  private final boolean framed;

  /** The keys of the pieces whose text was passed on. */
  private final Set<String> told = new HashSet<>();

  private @Nullable DeltaPattern pattern;
  private boolean content;
  private boolean refused;

  /** The kind of a frame's text. */
  enum Said {
    TEXT,
    SUMMARY,
    REASONING,
    REFUSAL
  }

  /**
   * @param names maps the upstream's tool names to the caller's
   * @param framed whether whoever receives the events also reads their frames, which hold the log
   *     probabilities
   */
  ResponsesEventReader(Credential credential, SafeNames names, boolean framed) {
    this.credential = credential;
    this.calls = new FunctionCalls(names, this::add);
    this.framed = framed;
  }

  @Override
  public Deque<Event> waiting() {
    return events;
  }

  @Override
  public @Nullable Event known(byte[] buffer, int start, int end) {
    return pattern == null ? null : pattern.match(buffer, start, end);
  }

  /**
   * Returns false, since the end of an answer is an ordinary event in this dialect and is not held
   * back.
   */
  @Override
  public boolean finished() {
    return false;
  }

  @Override
  public Event finish() {
    throw new IllegalStateException("this dialect does not hold back an ending event");
  }

  @Override
  public void frame(Json document, byte[] bytes, String name) {
    if (!(document instanceof Json.Obj frame)) {
      failed(
          TransportErrorClassifier.protocol("a frame that is no object, but " + document.kind()));
      return;
    }
    String said = Objects.requireNonNullElse(frame.text("type"), name);
    String type = name.equals("error") ? name : said;
    switch (type) {
      case "response.created", "response.in_progress", "response.queued" -> lifecycle(frame);
      case "response.output_item.added" -> itemBegins(frame);
      case "response.output_item.done" -> itemEnds(frame);
      case "response.content_part.added" -> partBegins(frame);
      case "response.reasoning_summary_part.added" ->
          begins(Event.BlockStart.Kind.REASONING, frame);
      case "response.content_part.done", "response.reasoning_summary_part.done" -> ends(frame);
      case "response.function_call_arguments.delta" -> aboutCall(calls.delta(frame), frame);
      case "response.function_call_arguments.done" -> aboutCall(calls.done(frame), frame);
      case "response.output_text.annotation.added" -> annotation(frame);
      case "response.completed", "response.incomplete", "response.failed", "response.cancelled" ->
          terminal(type, frame);
      case "error" -> error(frame);
      default -> other(type, frame, bytes);
    }
  }

  private void other(String type, Json.Obj frame, byte[] bytes) {
    switch (type) {
      case "response.output_text.delta" -> delta(Said.TEXT, frame, bytes);
      case "response.reasoning_text.delta" -> delta(Said.REASONING, frame, bytes);
      case "response.reasoning_summary_text.delta" -> delta(Said.SUMMARY, frame, bytes);
      case "response.refusal.delta" -> delta(Said.REFUSAL, frame, bytes);
      case "response.output_text.done" -> done(Said.TEXT, "text", frame);
      case "response.reasoning_text.done" -> done(Said.REASONING, "text", frame);
      case "response.reasoning_summary_text.done" -> done(Said.SUMMARY, "text", frame);
      case "response.refusal.done" -> done(Said.REFUSAL, "refusal", frame);
      default -> unmodelled(frame);
    }
  }

  private void unmodelled(Json.Obj frame) {
    if (!frame.has("type") && ErrorBody.of(frame) != null) {
      error(frame);
    } else {
      lifecycle(frame);
    }
  }

  private void add(Event event) {
    content = content || event.isContent();
    events.add(event);
  }

  private void error(Json.Obj frame) {
    failed(UpstreamErrorClassifier.reported(ErrorBody.announced(frame), credential));
  }

  /**
   * Adds a frame without content as an event that does not commit the stream, as long as no content
   * has come.
   */
  private void lifecycle(Json.Obj frame) {
    add(content ? new Event.UnmodelledContent(frame) : new Event.Started(frame));
  }

  private void begins(Event.BlockStart.Kind kind, Json.Obj frame) {
    add(new Event.BlockStart(kind, frame));
  }

  private void ends(Json.Obj frame) {
    add(new Event.BlockStop(frame));
  }

  /** Passes a frame about an unknown function call on unchanged. */
  private void aboutCall(boolean known, Json.Obj frame) {
    if (!known) {
      lifecycle(frame);
    }
  }

  /** Begins an item; content of messages and reasoning begins only with their parts. */
  private void itemBegins(Json.Obj frame) {
    Json.Obj item = frame.object("item");
    switch (item == null ? null : item.text("type")) {
      case "message", "reasoning" -> ends(frame);
      case "function_call" -> calls.begin(frame, Objects.requireNonNull(item));
      case null, default -> lifecycle(frame);
    }
  }

  private void itemEnds(Json.Obj frame) {
    Json.Obj item = frame.object("item");
    switch (item == null ? null : item.text("type")) {
      case "message" -> ends(frame);
      case "reasoning" -> reasoningEnds(frame, Objects.requireNonNull(item));
      case "function_call" -> calls.end(frame, Objects.requireNonNull(item));
      case null -> lifecycle(frame);
      default -> add(new Event.UnmodelledContent(frame)); // content in itself, such as an image
    }
  }

  private void reasoningEnds(Json.Obj frame, Json.Obj item) {
    Json.Str encrypted = ResponsesReasoningItem.encrypted(item);
    add(
        encrypted == null
            ? new Event.BlockStop(frame)
            : new Event.EncryptedReasoning(
                encrypted, ResponsesReasoningItem.FORMAT, item.text("id"), frame));
  }

  private void partBegins(Json.Obj frame) {
    Json.Obj part = frame.object("part");
    switch (part == null ? null : part.text("type")) {
      case "output_text" -> begins(Event.BlockStart.Kind.TEXT, frame);
      case "refusal" -> begins(Event.BlockStart.Kind.REFUSAL, frame);
      case "reasoning_text" -> begins(Event.BlockStart.Kind.REASONING, frame);
      case null, default -> lifecycle(frame);
    }
  }

  private void delta(Said what, Json.Obj frame, byte[] bytes) {
    if (!(frame.get("delta") instanceof Json.Str text)) {
      lifecycle(frame);
      return;
    }
    if (!text.isEmpty()) {
      tell(what, frame);
    }
    if (what == Said.REFUSAL) {
      refused = true;
      add(new Event.RefusalDelta(text, frame));
      return;
    }
    FrameSurroundings sent = FrameSurroundings.sent(Dialect.RESPONSES, frame, text, bytes);
    FrameSurroundings around =
        sent == null ? FrameSurroundings.edited(Dialect.RESPONSES, frame, "delta") : sent;
    if (sent != null && !text.isEmpty()) {
      pattern = DeltaPattern.of(what, frame, bytes, sent, framed);
    }
    said(what, text, frame, around.template());
    logprobs(frame);
  }

  /** Ends a piece; if no delta brought its text, the text is passed on now, without a frame. */
  private void done(Said what, String member, Json.Obj frame) {
    if (frame.get(member) instanceof Json.Str text && !text.isEmpty() && tell(what, frame)) {
      said(what, text, frame, null);
      logprobs(frame);
    }
    ends(frame);
  }

  private void said(Said what, Json.Str text, Json.Obj frame, @Nullable FrameTemplate template) {
    switch (what) {
      case TEXT -> add(new Event.TextDelta(text, template));
      case SUMMARY -> add(ResponsesReasoningItem.delta(text, true, frame, template));
      case REASONING -> add(ResponsesReasoningItem.delta(text, false, frame, template));
      case REFUSAL -> {
        refused = true;
        add(new Event.RefusalDelta(text, null));
      }
    }
  }

  /**
   * Remembers that text of a piece is passed on; returns false when text of it was passed on
   * before.
   */
  private boolean tell(Said what, Json.Obj frame) {
    boolean first = told.add(place(what, frame));
    if (told.size() > MAX_PIECES) {
      failed(TransportErrorClassifier.protocol("more than " + MAX_PIECES + " pieces"));
    }
    return first;
  }

  private static String place(Said what, Json.Obj frame) {
    String part = what == Said.SUMMARY ? "summary_index" : "content_index";
    return what + "/" + frame.whole("output_index", 0) + "/" + frame.whole(part, 0);
  }

  private void logprobs(Json.Obj frame) {
    Json.Arr logprobs = frame.list("logprobs");
    if (!framed && logprobs != null && !logprobs.isEmpty()) {
      add(new Event.Logprobs(logprobs));
    }
  }

  private void annotation(Json.Obj frame) {
    Json annotation = frame.get("annotation");
    if (annotation == null) {
      lifecycle(frame);
      return;
    }
    Json.Obj citation = Citations.ofFlat(annotation);
    add(
        citation == null
            ? new Event.UnmodelledContent(frame)
            : new Event.Annotation(citation, frame));
  }

  private void terminal(String type, Json.Obj frame) {
    Json.Obj response = frame.object("response");
    if (response == null) {
      failed(TransportErrorClassifier.protocol("an end without the response that ended"));
      return;
    }
    Usage usage = ResponsesUsageReader.of(response);
    if (usage != null) {
      add(new Event.UsageReport(usage, null));
    }
    if (type.equals("response.failed") || type.equals("response.cancelled")) {
      ErrorBody error = ErrorBody.of(response);
      failed(UpstreamErrorClassifier.reported(error == null ? ErrorBody.NONE : error, credential));
    } else {
      add(finished(type, response, frame));
    }
  }

  private Event finished(String type, Json.Obj response, Json.Obj frame) {
    String said = ResponsesAnswerReader.stopWord(response);
    String word = said == null ? type.substring(type.indexOf('.') + 1) : said;
    StopReason reason = StopReasons.RESPONSES.of(word, calls.any(), refused);
    return new Event.Finished(reason, word, frame);
  }
}
