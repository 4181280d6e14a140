package io.strowger.core.cache;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is taken down while it is given, to be given again. One that grows beyond what the
 * cache may hold, or that shows what was sent to an upstream, is not taken down; neither is one for
 * which all answers that are being taken down at the same time leave no room. For one thread, but
 * for {@link #close}.
 */
public final class Recording implements AutoCloseable {
  private static final long CLOSED = -1;

  private static final long EVENT = 100; // objects and references, about

  private final long mostBytes;
  private final List<Event> events = new ArrayList<>();
  private long bytes = 500;
  private final AtomicLong underWay;
  private final long mostUnderWay;
  private final AtomicLong held = new AtomicLong(); // of what is under way
  private boolean given;

  /**
   * @param mostBytes most of this one
   * @param underWay the bytes of all that are being taken down
   * @param mostUnderWay most of those
   */
  Recording(long mostBytes, AtomicLong underWay, long mostUnderWay) {
    this.mostBytes = mostBytes;
    this.underWay = underWay;
    this.mostUnderWay = mostUnderWay;
  }

  /** What the answer says next. */
  public void add(Event event) {
    if (given) {
      return;
    }
    long weight = weight(event);
    bytes += weight;
    boolean unwanted = event instanceof Event.UpstreamBodyEcho || event instanceof Event.Failed;
    if (unwanted || bytes > mostBytes || !holds(weight)) {
      given = true;
      events.clear();
      close();
    } else {
      events.add(FreeEvents.of(event));
    }
  }

  /** Takes more of what there is for all; false when there is no more, or it was closed. */
  private boolean holds(long more) {
    if (underWay.addAndGet(more) <= mostUnderWay) {
      long before = held.get();
      while (before != CLOSED) {
        if (held.compareAndSet(before, before + more)) {
          return true;
        }
        before = held.get();
      }
    }
    underWay.addAndGet(-more);
    return false;
  }

  /**
   * Nothing more is taken down: what it held is free for others. Any thread, any number of times.
   */
  @Override
  public void close() {
    long before = held.getAndSet(CLOSED);
    if (before != CLOSED) {
      underWay.addAndGet(-before);
    }
  }

  /** Why the answer ended; null while it has not ended well, and when it is not taken down. */
  public @Nullable StopReason reason() {
    Event last = events.isEmpty() ? null : events.getLast();
    if (last instanceof Event.CompleteAnswer whole) {
      return whole.answer().stopReason();
    }
    return last instanceof Event.Finished finished ? finished.reason() : null;
  }

  List<Event> events() {
    return events;
  }

  long bytes() {
    return bytes;
  }

  private static long weight(Event event) {
    return EVENT
        + switch (event) {
          case Event.TextDelta e -> e.text().utf8Bound();
          case Event.ReasoningDelta e -> e.text().utf8Bound();
          case Event.Started e -> weight(e.frame());
          case Event.BlockStart e -> weight(e.frame());
          case Event.BlockStop e -> weight(e.frame());
          case Event.ReasoningSignature e -> e.signature().utf8Bound() + weight(e.frame());
          case Event.EncryptedReasoning e -> e.data().utf8Bound() + weight(e.frame());
          case Event.RefusalDelta e -> e.text().utf8Bound() + weight(e.frame());
          case Event.Logprobs e -> e.content().writtenLength();
          case Event.ServerToolRun e -> e.run().result().writtenLength();
          case Event.ToolCallDelta e -> e.arguments().utf8Bound() + weight(e.frame());
          case Event.Annotation e -> e.body().writtenLength() + weight(e.frame());
          case Event.UnmodelledContent e -> weight(e.frame());
          case Event.UsageReport e -> weight(e.frame());
          case Event.UpstreamBodyEcho e -> e.upstreamBody().writtenLength();
          case Event.AudioDelta e -> e.size();
          case Event.Finished e -> weight(e.frame());
          case Event.CompleteAnswer e -> weight(e);
          case Event.Failed e -> 0;
        };
  }

  private static long weight(Json.@Nullable Obj frame) {
    return frame == null ? 0 : frame.writtenLength();
  }

  private static long weight(Event.CompleteAnswer completeAnswer) {
    long weight = 2 * weight(completeAnswer.answer().source());
    for (Part part : completeAnswer.answer().parts()) {
      weight +=
          EVENT
              + switch (part) {
                case Part.Text p -> p.text().utf8Bound();
                case Part.ToolCall p -> p.arguments().utf8Bound();
                case Part.Thinking p -> p.text().utf8Bound();
                case Part.Image p -> p.media().asUrl().utf8Bound();
                case Part.Audio p -> p.data().utf8Bound();
                case Part.Video p -> p.url().utf8Bound();
                case Part.File p -> p.file().writtenLength();
                case Part.ToolResult p -> EVENT;
                case Part.Refusal p -> p.text().utf8Bound();
                case Part.Citation p -> p.body().writtenLength();
                case Part.Logprobs p -> p.content().writtenLength();
                case Part.ServerToolRun p -> p.result().writtenLength();
                case Part.Unknown p -> p.source().writtenLength();
              };
    }
    return weight;
  }
}
