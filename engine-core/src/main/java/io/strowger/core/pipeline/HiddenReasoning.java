package io.strowger.core.pipeline;

import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.ReasoningOptions;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hides the reasoning of an answer whose caller asked not to see it: {@code reasoning.exclude} or
 * {@code include_reasoning: false}, in any dialect. Many upstreams do not know these members and
 * send reasoning anyway, so the gateway removes it: words, summaries, signatures and encrypted
 * texts. This is the outermost step, after the meter and all plugins: the tokens are billed, and a
 * tool loop still passes the reasoning of its turns back. Chat fact sheet, section 2.
 *
 * <p>Read by one thread, closed by any.
 */
final class HiddenReasoning implements Reply.Begun {
  private final Reply.Begun answer;
  private final FairShare turn = new FairShare(FairShare.EVENTS);
  private final Set<Long> open = new HashSet<>(); // of reasoning blocks that have not ended
  private boolean thinks; // the last event was reasoning
  private boolean begun;
  private @Nullable Event ahead; // the next event, when ready() has found it
  private volatile boolean closed;

  private HiddenReasoning(Reply.Begun answer) {
    this.answer = answer;
  }

  /** Returns the answer as its caller may see it: the same object unless reasoning is hidden. */
  static Reply.Begun of(Reply.Begun answer, InferenceRequest request) {
    return isWanted(request) ? answer : new HiddenReasoning(answer);
  }

  /** Returns whether to show reasoning; without members, the request's settings decide. */
  static boolean isWanted(InferenceRequest request) {
    boolean typed = request.members().size() == 0 && request.dialect() != Dialect.MESSAGES;
    return typed
        ? !request.generationParameters().reasoning().hidden()
        : !ReasoningOptions.isExcluded(request.members());
  }

  @Override
  public @Nullable Event next() {
    Event first = ahead;
    ahead = null;
    if (first != null && !closed) {
      return first;
    }
    while (true) {
      Event event = answer.next();
      if (event == null) {
        return null;
      }
      Event visible = visible(event);
      if (visible != null) {
        return visible;
      }
    }
  }

  /** Returns the event that the caller receives for an event; null when it receives none. */
  private @Nullable Event visible(Event event) {
    turn.advance(1);
    Event shown = shown(event);
    if (shown == null && !begun) {
      begun = true;
      return new Event.Started(null); // the hidden event may have been the beginning
    }
    return shown;
  }

  /** Returns the visible part of an event; null when all of it is hidden. */
  private @Nullable Event shown(Event event) {
    return switch (event) {
      case Event.ReasoningDelta e -> hidden(frame(e.template()));
      case Event.ReasoningSignature e -> hidden(e.frame());
      case Event.EncryptedReasoning e -> sealed(e.frame());
      case Event.BlockStart e ->
          e.kind() == Event.BlockStart.Kind.REASONING ? hidden(e.frame()) : said(e);
      case Event.BlockStop e -> stop(e);
      case Event.UnmodelledContent e -> opaque(e);
      case Event.Started e -> started(e);
      case Event.Finished e -> finished(e);
      case Event.CompleteAnswer e -> new Event.CompleteAnswer(WithoutReasoning.answer(e.answer()));
      case Event.TextDelta e -> said(e);
      case Event.RefusalDelta e -> said(e);
      case Event.ToolCallDelta e -> said(e);
      case Event.ServerToolRun e -> said(e);
      case Event.Annotation e -> e;
      case Event.Logprobs e -> e;
      case Event.UsageReport e -> e;
      case Event.UpstreamBodyEcho e -> e;
      case Event.AudioDelta e -> e;
      case Event.Failed e -> e;
    };
  }

  private Event said(Event event) {
    thinks = false;
    return event;
  }

  private static Json.@Nullable Obj frame(@Nullable FrameTemplate template) {
    return template == null ? null : template.example();
  }

  private @Nullable Event hidden(Json.@Nullable Obj frame) {
    thinks = true;
    long place = place(frame);
    if (place >= 0) {
      open.add(place);
    }
    return null;
  }

  /** Hides an event that ends an item in some dialects and begins a block in others. */
  private @Nullable Event sealed(Json.@Nullable Obj frame) {
    hidden(frame);
    if (ends(frame)) {
      open.remove(place(frame));
    }
    return null;
  }

  private @Nullable Event stop(Event.BlockStop stop) {
    Json.Obj frame = stop.frame();
    long place = place(frame);
    if (place < 0) {
      return thinks ? null : stop;
    }
    Json.Obj item = frame == null ? null : frame.object("item");
    boolean reasoning = item != null && "reasoning".equals(item.text("type"));
    if (!reasoning && !open.contains(place)) {
      return said(stop);
    }
    return sealed(frame);
  }

  private @Nullable Event opaque(Event.UnmodelledContent event) {
    if (open.contains(place(event.frame()))) {
      return null;
    }
    Json.Obj frame = WithoutReasoning.frame(event.frame());
    return frame == event.frame()
        ? event
        : frame == null ? null : new Event.UnmodelledContent(frame);
  }

  private @Nullable Event started(Event.Started event) {
    Json.Obj frame = event.frame();
    if (frame != null && "response.created".equals(frame.text("type"))) {
      open.clear(); // they belong to an earlier turn
    }
    if (open.contains(place(frame))) {
      return null;
    }
    begun = true;
    return event;
  }

  private static Event finished(Event.Finished event) {
    Json.Obj frame = event.frame() == null ? null : WithoutReasoning.frame(event.frame());
    return frame == event.frame()
        ? event
        : new Event.Finished(event.reason(), event.nativeReason(), frame);
  }

  /** Returns the index of the block or item that a frame belongs to; -1 when it has none. */
  private static long place(Json.@Nullable Obj frame) {
    String type = frame == null ? null : frame.text("type");
    if (frame == null || type == null) {
      return -1;
    }
    return type.startsWith("response.")
        ? frame.whole("output_index", -1)
        : type.startsWith("content_block_") ? frame.whole("index", -1) : -1;
  }

  private static boolean ends(Json.@Nullable Obj frame) {
    String type = frame == null ? null : frame.text("type");
    return "response.output_item.done".equals(type) || "content_block_stop".equals(type);
  }

  /** Skips hidden events, because {@link #next()} would wait while only those have arrived. */
  @Override
  public boolean ready() {
    while (ahead == null && answer.ready()) {
      Event event = answer.next();
      if (event == null) {
        return true; // ended: next() returns null
      }
      ahead = visible(event);
    }
    return ahead != null;
  }

  @Override
  public boolean cites() {
    return answer.cites();
  }

  @Override
  public @Nullable Bill bill() {
    return answer.bill();
  }

  @Override
  public void close() {
    closed = true;
    answer.close();
  }
}
