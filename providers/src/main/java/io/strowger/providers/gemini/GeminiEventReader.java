package io.strowger.providers.gemini;

import io.strowger.providers.upstream.ErrorBody;
import io.strowger.providers.upstream.EventReader;
import io.strowger.providers.upstream.TransportErrorClassifier;
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
 * of earlier frames. All of these are therefore held back until the body ends, and the last of each
 * is used.
 *
 * <p>Translation fact sheet, section 5, cases 9 and 10. Test: {@code GeminiStreamTest}.
 */
final class GeminiEventReader implements EventReader {
  private static final byte[] NO_BYTES = {};
  private static final GeminiFinish NOTHING = new GeminiFinish(null, null, false);

  private final Deque<Event> events = new ArrayDeque<>();
  private final GeminiPartReader parts;
  private final Credential credential;
  private final TextFrames texts;
  private boolean started;
  private int calls;
  private GeminiFinish geminiFinish = NOTHING;
  private Json.@Nullable Obj usage;
  private Json.Obj sources = Json.Obj.EMPTY; // the latest metadata about sources
  private @Nullable Deque<Event> ending;

  GeminiEventReader(GeminiPartReader parts, Credential credential, JsonCodec codec) {
    this.parts = parts;
    this.credential = credential;
    this.texts = new TextFrames(codec);
  }

  @Override
  public @Nullable Event known(byte[] buffer, int start, int end) {
    Json.Str text = texts.match(buffer, start, end);
    if (text == null) {
      return null;
    }
    if (!texts.isThought()) {
      parts.said(text);
    }
    return texts.event(text);
  }

  @Override
  public Deque<Event> waiting() {
    return events;
  }

  @Override
  public boolean finished() {
    return geminiFinish.word() != null;
  }

  @Override
  public Event finish() {
    if (ending == null) {
      ending = ending();
    }
    return Objects.requireNonNull(ending.poll());
  }

  private Deque<Event> ending() {
    var last = new ArrayDeque<Event>();
    Grounding.citations(sources, parts.text())
        .forEach(citation -> last.add(new Event.Annotation(citation.body(), null)));
    Json.Obj unread = texts.usage();
    usage = unread == null ? usage : unread;
    if (usage != null) {
      last.add(new Event.UsageReport(used(usage), null));
    }
    StopReason reason = geminiFinish.reason(parts.hasCalls());
    last.add(
        reason == StopReason.ERROR
            ? Event.Failed.upstream(geminiFinish.failure())
            : new Event.Finished(reason, geminiFinish.word(), null));
    return last;
  }

  private Usage used(Json.Obj metadata) {
    return GeminiUsage.of(metadata, Grounding.searches(sources));
  }

  @Override
  public void frame(Json document, byte[] bytes, String name) {
    Json inner = document instanceof Json.Arr list && list.size() == 1 ? list.get(0) : document;
    if (!(inner instanceof Json.Obj frame)) {
      failed(
          TransportErrorClassifier.protocol("a frame that is no object, but " + document.kind()));
    } else if (name.equals("error") || isError(frame)) {
      failed(UpstreamErrorClassifier.reported(ErrorBody.announced(frame), credential));
    } else {
      answer(frame, document == frame ? bytes : NO_BYTES);
    }
  }

  private static boolean isError(Json.Obj frame) {
    Json error = frame.get("error");
    return error instanceof Json.Obj || error instanceof Json.Str;
  }

  /**
   * @param bytes the bytes the frame was parsed from; empty when they contained more than the frame
   */
  private void answer(Json.Obj frame, byte[] bytes) {
    Json.Obj unread = texts.usage();
    usage = unread == null ? usage : unread;
    texts.forget();
    if (!started) {
      started = true;
      events.add(new Event.Started(null));
    }
    usage(frame.object("usageMetadata"));
    List<Part> said = parts.read(frame);
    said.forEach(this::part);
    Json.Obj candidate = GeminiFinish.candidate(frame);
    boolean plain = candidate != null && !besides(candidate);
    GeminiFinish told = GeminiFinish.of(frame);
    if (told.word() != null || !said.isEmpty()) {
      geminiFinish = told; // a frame after a finish revokes it
    }
    if (plain && told.word() == null && said.size() == 1) {
      remember(frame, said.getFirst(), bytes);
    }
  }

  /**
   * Keeps the latest usage report. The first is also passed on at once, so that a cost is known if
   * the answer breaks off.
   */
  private void usage(Json.@Nullable Obj metadata) {
    if (metadata != null) {
      if (usage == null) {
        events.add(new Event.UsageReport(used(metadata), null));
      }
      usage = metadata;
    }
  }

  private void remember(Json.Obj frame, Part part, byte[] bytes) {
    if (part instanceof Part.Text text) {
      texts.remember(frame, text.text(), bytes, false);
    } else if (part instanceof Part.Thinking thinking
        && thinking.kind() == Part.Thinking.Kind.TEXT
        && thinking.signature() == null) {
      texts.remember(frame, thinking.text(), bytes, true);
    }
  }

  /** Reads log probabilities and sources of a candidate, and returns whether there were any. */
  private boolean besides(Json.Obj candidate) {
    Part.Logprobs likely = GeminiLogprobs.of(candidate);
    boolean any = likely != null;
    if (likely != null) {
      events.add(new Event.Logprobs(likely.content()));
    }
    for (String of : List.of("groundingMetadata", "citationMetadata")) {
      Json said = candidate.get(of);
      sources = said == null ? sources : sources.with(of, said);
      any |= said != null;
    }
    return any;
  }

  private void part(Part part) {
    switch (part) {
      case Part.Text text -> events.add(new Event.TextDelta(text.text(), null));
      case Part.Thinking thinking -> thinking(thinking);
      case Part.ToolCall call -> {
        Json.Str arguments = call.arguments().asString();
        events.add(new Event.ToolCallDelta(calls++, call.id(), call.name(), arguments, null));
      }
      case Part.Image image -> opaque(image.source());
      case Part.Audio audio -> opaque(audio.source());
      case Part.Unknown unknown -> opaque(unknown.source());
      case Part.Video p -> throw neverRead(p);
      case Part.File p -> throw neverRead(p);
      case Part.ToolResult p -> throw neverRead(p);
      case Part.Refusal p -> throw neverRead(p);
      case Part.Citation p -> throw neverRead(p);
      case Part.Logprobs p -> throw neverRead(p);
      case Part.ServerToolRun p -> throw neverRead(p);
    }
  }

  private static IllegalStateException neverRead(Part part) {
    return new IllegalStateException("no part of an answer here: " + part);
  }

  private void thinking(Part.Thinking thinking) {
    Json.Str signature = thinking.signature();
    if (thinking.kind() == Part.Thinking.Kind.ENCRYPTED) {
      events.add(
          new Event.EncryptedReasoning(thinking.text(), thinking.format(), thinking.id(), null));
      return;
    }
    if (!thinking.text().isEmpty()) {
      events.add(thought(thinking.text()));
    }
    if (signature != null) {
      events.add(new Event.ReasoningSignature(signature, thinking.format(), null));
    }
  }

  /** Returns the event for a piece of reasoning, with the same format as in a complete answer. */
  static Event thought(Json.Str text) {
    return new Event.ReasoningDelta(text, false, GeminiCodec.FORMAT, null, null);
  }

  /** Passes on an unmodelled part in a frame of its own. */
  private void opaque(@Nullable Json part) {
    Json.Obj content =
        Json.object()
            .put("role", "model")
            .put("parts", Json.array(Objects.requireNonNull(part)))
            .build();
    Json.Obj candidate = Json.object().put("content", content).build();
    events.add(
        new Event.UnmodelledContent(
            Json.object().put("candidates", Json.array(candidate)).build()));
  }
}
