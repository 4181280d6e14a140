package io.strowger.providers.gemini;

import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.UpstreamErrorClassifier;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of one stream into events. Each frame is a partial answer: usage is repeated and
 * cumulative, some upstreams repeat the finish as well, and sources refer to positions in the text
 * of earlier frames. Usage, finish and sources are therefore held back until the body ends, and the
 * latest of each is used.
 *
 * <p>Translation fact sheet, section 5, cases 9 and 10. Test: {@code GeminiStreamTest}.
 */
final class GeminiEventReader implements EventReader {
  /** The limit of calls, whose ids are all remembered; an answer has a handful. */
  private static final int MAX_CALLS = 10_000;

  private static final byte[] NO_BYTES = {};
  private static final GeminiFinish NO_FINISH = new GeminiFinish(null, null, false);

  private final Deque<Event> events = new ArrayDeque<>();
  private final GeminiPartReader partReader;
  private final Credential credential;
  private final TextFrames texts;
  private boolean hasStarted;
  private int callCount;
  private GeminiFinish latestFinish = NO_FINISH;
  private Json.@Nullable Obj usage;
  private Json.Obj sources = Json.Obj.EMPTY; // the latest metadata of each kind
  private @Nullable Deque<Event> endEvents;

  GeminiEventReader(GeminiPartReader partReader, Credential credential, JsonCodec codec) {
    this.partReader = partReader;
    this.credential = credential;
    this.texts = new TextFrames(codec);
  }

  @Override
  public @Nullable Event tryMatch(byte[] buffer, int start, int end) {
    Json.Str text = texts.match(buffer, start, end);
    if (text == null) {
      return null;
    }
    if (!texts.isThought()) {
      partReader.addText(text);
    }
    return texts.event(text);
  }

  @Override
  public Deque<Event> queue() {
    return events;
  }

  @Override
  public boolean isFinished() {
    return latestFinish.upstreamReason() != null;
  }

  @Override
  public Event finish() {
    if (endEvents == null) {
      endEvents = endEvents();
    }
    return Objects.requireNonNull(endEvents.poll());
  }

  private Deque<Event> endEvents() {
    var result = new ArrayDeque<Event>();
    GroundingReader.citations(sources, partReader.text())
        .forEach(citation -> result.add(new Event.Annotation(citation.body(), null)));
    Json.Obj latestUsage = texts.usage();
    usage = latestUsage == null ? usage : latestUsage;
    if (usage != null) {
      result.add(new Event.UsageReport(toUsage(usage), null));
    }
    StopReason reason = latestFinish.reason(partReader.hasCalls());
    result.add(
        reason == StopReason.ERROR
            ? Event.Failed.upstream(latestFinish.failure())
            : new Event.Finished(reason, latestFinish.upstreamReason(), null));
    return result;
  }

  private Usage toUsage(Json.Obj metadata) {
    return GeminiUsage.of(metadata, GroundingReader.searches(sources));
  }

  @Override
  public void readFrame(Json document, byte[] bytes, String name) {
    Json inner = document instanceof Json.Arr list && list.size() == 1 ? list.get(0) : document;
    if (!(inner instanceof Json.Obj frame)) {
      queueProtocolFailure(
          "the upstream sent a frame of type " + document.kind() + " instead of an object");
    } else if (name.equals("error") || isError(frame)) {
      queueFailure(
          UpstreamErrorClassifier.failureInAnswer(ErrorBody.ofErrorDocument(frame), credential));
    } else {
      readAnswer(frame, document == frame ? bytes : NO_BYTES);
    }
  }

  private static boolean isError(Json.Obj frame) {
    Json error = frame.get("error");
    return error instanceof Json.Obj || error instanceof Json.Str;
  }

  /**
   * @param bytes the bytes the frame was parsed from; empty when they contained more than the frame
   */
  private void readAnswer(Json.Obj frame, byte[] bytes) {
    Json.Obj latestUsage = texts.usage();
    usage = latestUsage == null ? usage : latestUsage;
    texts.forget();
    if (!hasStarted) {
      hasStarted = true;
      events.add(new Event.Started(null));
    }
    addUsage(frame.object("usageMetadata"));
    List<Part> frameParts = partReader.read(frame);
    frameParts.forEach(this::addPart);
    Json.Obj candidate = GeminiFinish.candidate(frame);
    boolean isContentOnly = candidate != null && !readAnnotations(candidate);
    GeminiFinish frameFinish = GeminiFinish.of(frame);
    if (frameFinish.upstreamReason() != null || !frameParts.isEmpty()) {
      latestFinish = frameFinish; // a frame after a finish revokes it
    }
    if (isContentOnly && frameFinish.upstreamReason() == null && frameParts.size() == 1) {
      rememberFrame(frame, frameParts.getFirst(), bytes);
    }
  }

  /**
   * Keeps the latest usage report. The first is also passed on at once, so that a cost is known if
   * the answer breaks off.
   */
  private void addUsage(Json.@Nullable Obj metadata) {
    if (metadata != null) {
      if (usage == null) {
        events.add(new Event.UsageReport(toUsage(metadata), null));
      }
      usage = metadata;
    }
  }

  private void rememberFrame(Json.Obj frame, Part part, byte[] bytes) {
    if (part instanceof Part.Text text) {
      texts.remember(frame, text.text(), bytes, false);
    } else if (part instanceof Part.Thinking thinking
        && thinking.kind() == Part.Thinking.Kind.TEXT
        && thinking.signature() == null) {
      texts.remember(frame, thinking.text(), bytes, true);
    }
  }

  /** Reads log probabilities and sources of a candidate, and returns whether there were any. */
  private boolean readAnnotations(Json.Obj candidate) {
    Part.Logprobs logprobs = GeminiLogprobs.of(candidate);
    boolean hasAny = logprobs != null;
    if (logprobs != null) {
      events.add(new Event.Logprobs(logprobs.content()));
    }
    for (String name : List.of("groundingMetadata", "citationMetadata")) {
      Json metadata = candidate.get(name);
      sources = metadata == null ? sources : sources.with(name, metadata);
      hasAny |= metadata != null;
    }
    return hasAny;
  }

  private void addPart(Part part) {
    switch (part) {
      case Part.Text text -> events.add(new Event.TextDelta(text.text(), null));
      case Part.Thinking thinking -> addThinking(thinking);
      case Part.ToolCall call -> addCall(call);
      case Part.Image image -> addUnchanged(image.source());
      case Part.Audio audio -> addUnchanged(audio.source());
      case Part.Unknown unknown -> addUnchanged(unknown.source());
      case Part.Video p -> throw neverRead(p);
      case Part.File p -> throw neverRead(p);
      case Part.ToolResult p -> throw neverRead(p);
      case Part.Refusal p -> throw neverRead(p);
      case Part.Citation p -> throw neverRead(p);
      case Part.Logprobs p -> throw neverRead(p);
      case Part.ServerToolRun p -> throw neverRead(p);
    }
  }

  private void addCall(Part.ToolCall call) {
    if (callCount == MAX_CALLS) {
      queueProtocolFailure("the upstream sent more than " + MAX_CALLS + " function calls");
      return;
    }
    Json.Str arguments = call.arguments().asString();
    events.add(new Event.ToolCallDelta(callCount++, call.id(), call.name(), arguments, null));
  }

  private static IllegalStateException neverRead(Part part) {
    return new IllegalStateException("unexpected part in an answer: " + part);
  }

  private void addThinking(Part.Thinking thinking) {
    Json.Str signature = thinking.signature();
    if (thinking.kind() == Part.Thinking.Kind.ENCRYPTED) {
      events.add(
          new Event.EncryptedReasoning(thinking.text(), thinking.format(), thinking.id(), null));
      return;
    }
    if (!thinking.text().isEmpty()) {
      events.add(reasoningDelta(thinking.text()));
    }
    if (signature != null) {
      events.add(new Event.ReasoningSignature(signature, thinking.format(), null));
    }
  }

  /** Returns the event for a piece of reasoning, with the same format as in a complete answer. */
  static Event reasoningDelta(Json.Str text) {
    return new Event.ReasoningDelta(text, false, GeminiCodec.FORMAT, null, null);
  }

  /** Passes on an unmodelled part in a frame of its own. */
  private void addUnchanged(@Nullable Json part) {
    Json.Obj content =
        Json.object()
            .put("role", "model")
            .put("parts", Json.array(Objects.requireNonNull(part)))
            .build();
    Json.Obj candidate = Json.object().put("content", content).build();
    events.add(
        new Event.OtherContent(Json.object().put("candidates", Json.array(candidate)).build()));
  }
}
