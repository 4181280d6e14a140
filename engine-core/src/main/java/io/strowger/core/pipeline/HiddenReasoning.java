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
final class HiddenReasoning implements Reply.MeteredAnswer {
  private final Reply.MeteredAnswer answer;
  private final FairShare fairShare = new FairShare(FairShare.EVENTS);
  private final Set<Long> openIndexes = new HashSet<>(); // of reasoning blocks that have not ended
  private boolean inReasoning; // the last event was reasoning
  private boolean isStarted;
  private @Nullable Event lookahead; // the next event, when ready() has found it
  private volatile boolean closed;

  private HiddenReasoning(Reply.MeteredAnswer answer) {
    this.answer = answer;
  }

  /** Returns the answer as its caller may see it: the same object unless reasoning is hidden. */
  static Reply.MeteredAnswer of(Reply.MeteredAnswer answer, InferenceRequest request) {
    return isWanted(request) ? answer : new HiddenReasoning(answer);
  }

  /** Returns whether to show reasoning; for a request without JSON members, its settings decide. */
  static boolean isWanted(InferenceRequest request) {
    boolean isTyped = request.members().size() == 0 && request.dialect() != Dialect.MESSAGES;
    return isTyped
        ? !request.generationParameters().reasoning().hidden()
        : !ReasoningOptions.asksToHide(request.members());
  }

  @Override
  public @Nullable Event next() {
    Event first = lookahead;
    lookahead = null;
    if (first != null && !closed) {
      return first;
    }
    while (true) {
      Event event = answer.next();
      if (event == null) {
        return null;
      }
      Event visible = visibleEvent(event);
      if (visible != null) {
        return visible;
      }
    }
  }

  /** Returns the event that the caller receives for an event; null when it receives none. */
  private @Nullable Event visibleEvent(Event event) {
    fairShare.advance(1);
    Event result = filter(event);
    if (result == null && !isStarted) {
      isStarted = true;
      return new Event.Started(null); // the hidden event may have been the beginning
    }
    return result;
  }

  /** Returns the visible part of an event; null when all of it is hidden. */
  private @Nullable Event filter(Event event) {
    return switch (event) {
      case Event.ReasoningDelta e -> hide(frame(e.template()));
      case Event.ReasoningSignature e -> hide(e.frame());
      case Event.EncryptedReasoning e -> hideItem(e.frame());
      case Event.BlockStart e ->
          e.kind() == Event.BlockStart.Kind.REASONING ? hide(e.frame()) : show(e);
      case Event.BlockStop e -> filterStop(e);
      case Event.OtherContent e -> filterOtherContent(e);
      case Event.Started e -> filterStarted(e);
      case Event.Finished e -> filterFinished(e);
      case Event.CompleteAnswer e ->
          new Event.CompleteAnswer(ReasoningRemover.removeFromAnswer(e.answer()));
      case Event.TextDelta e -> show(e);
      case Event.RefusalDelta e -> show(e);
      case Event.ToolCallDelta e -> show(e);
      case Event.ServerToolRun e -> show(e);
      case Event.Annotation e -> e;
      case Event.Logprobs e -> e;
      case Event.UsageReport e -> e;
      case Event.UpstreamBodyEcho e -> e;
      case Event.AudioDelta e -> e;
      case Event.Failed e -> e;
    };
  }

  private Event show(Event event) {
    inReasoning = false;
    return event;
  }

  private static Json.@Nullable Obj frame(@Nullable FrameTemplate template) {
    return template == null ? null : template.firstFrame();
  }

  private @Nullable Event hide(Json.@Nullable Obj frame) {
    inReasoning = true;
    long index = index(frame);
    if (index >= 0) {
      openIndexes.add(index);
    }
    return null;
  }

  /** Hides an event that ends an item in some dialects and begins a block in others. */
  private @Nullable Event hideItem(Json.@Nullable Obj frame) {
    hide(frame);
    if (endsItem(frame)) {
      openIndexes.remove(index(frame));
    }
    return null;
  }

  private @Nullable Event filterStop(Event.BlockStop stop) {
    Json.Obj frame = stop.frame();
    long index = index(frame);
    if (index < 0) {
      return inReasoning ? null : stop;
    }
    Json.Obj item = frame == null ? null : frame.object("item");
    boolean isReasoning = item != null && "reasoning".equals(item.text("type"));
    if (!isReasoning && !openIndexes.contains(index)) {
      return show(stop);
    }
    return hideItem(frame);
  }

  private @Nullable Event filterOtherContent(Event.OtherContent event) {
    if (openIndexes.contains(index(event.frame()))) {
      return null;
    }
    Json.Obj frame = ReasoningRemover.removeFromFrame(event.frame());
    return frame == event.frame() ? event : frame == null ? null : new Event.OtherContent(frame);
  }

  private @Nullable Event filterStarted(Event.Started event) {
    Json.Obj frame = event.frame();
    if (frame != null && "response.created".equals(frame.text("type"))) {
      openIndexes.clear(); // they belong to an earlier turn
    }
    if (openIndexes.contains(index(frame))) {
      return null;
    }
    isStarted = true;
    return event;
  }

  private static Event filterFinished(Event.Finished event) {
    Json.Obj frame = event.frame() == null ? null : ReasoningRemover.removeFromFrame(event.frame());
    return frame == event.frame()
        ? event
        : new Event.Finished(event.reason(), event.nativeReason(), frame);
  }

  /** Returns the index of the block or item that a frame belongs to; -1 when it has none. */
  private static long index(Json.@Nullable Obj frame) {
    String type = frame == null ? null : frame.text("type");
    if (frame == null || type == null) {
      return -1;
    }
    return type.startsWith("response.")
        ? frame.longValue("output_index", -1)
        : type.startsWith("content_block_") ? frame.longValue("index", -1) : -1;
  }

  private static boolean endsItem(Json.@Nullable Obj frame) {
    String type = frame == null ? null : frame.text("type");
    return "response.output_item.done".equals(type) || "content_block_stop".equals(type);
  }

  /** Skips hidden events, because {@link #next()} would wait while only those have arrived. */
  @Override
  public boolean ready() {
    while (lookahead == null && answer.ready()) {
      Event event = answer.next();
      if (event == null) {
        return true; // ended: next() returns null
      }
      lookahead = visibleEvent(event);
    }
    return lookahead != null;
  }

  @Override
  public boolean addsCitations() {
    return answer.addsCitations();
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
