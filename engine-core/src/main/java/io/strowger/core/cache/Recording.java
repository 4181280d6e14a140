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
 * Records an answer while it is delivered, for replay. An answer is not kept when it fails, exceeds
 * the limit of the cache or contains the body that was sent upstream, or when the recordings in
 * progress leave no room for it. Not thread-safe, except for {@link #close}.
 */
public final class Recording implements AutoCloseable {
  private static final long CLOSED = -1;

  private static final long EVENT_OVERHEAD = 100; // approximate bytes of objects

  private final long maxBytes;
  private final List<Event> events = new ArrayList<>();
  private long bytes = 500;
  private final AtomicLong bytesInProgress;
  private final long maxBytesInProgress;
  private final AtomicLong reserved = new AtomicLong(); // part of bytesInProgress
  private boolean abandoned;

  /**
   * @param maxBytes the most bytes of this recording
   * @param bytesInProgress counts the bytes of all recordings in progress
   * @param maxBytesInProgress the most bytes of all recordings in progress
   */
  Recording(long maxBytes, AtomicLong bytesInProgress, long maxBytesInProgress) {
    this.maxBytes = maxBytes;
    this.bytesInProgress = bytesInProgress;
    this.maxBytesInProgress = maxBytesInProgress;
  }

  /** Adds the next event. */
  public void add(Event event) {
    if (abandoned) {
      return;
    }
    long weight = weight(event);
    bytes += weight;
    boolean isUnstorable = event instanceof Event.UpstreamBodyEcho || event instanceof Event.Failed;
    if (isUnstorable || bytes > maxBytes || !reserve(weight)) {
      abandoned = true;
      events.clear();
      close();
    } else {
      events.add(ZeroUsageEvents.of(event));
    }
  }

  /** Reserves bytes of the common limit; returns false when that is exhausted or this is closed. */
  private boolean reserve(long amount) {
    if (bytesInProgress.addAndGet(amount) <= maxBytesInProgress) {
      long current = reserved.get();
      while (current != CLOSED) {
        if (reserved.compareAndSet(current, current + amount)) {
          return true;
        }
        current = reserved.get();
      }
    }
    bytesInProgress.addAndGet(-amount);
    return false;
  }

  /** Stops recording and frees the bytes it reserved. Idempotent, safe on any thread. */
  @Override
  public void close() {
    long reservedBytes = reserved.getAndSet(CLOSED);
    if (reservedBytes != CLOSED) {
      bytesInProgress.addAndGet(-reservedBytes);
    }
  }

  /** Returns the stop reason of the answer; null before its end, and when it is not kept. */
  public @Nullable StopReason reason() {
    Event last = events.isEmpty() ? null : events.getLast();
    if (last instanceof Event.CompleteAnswer completeAnswer) {
      return completeAnswer.answer().stopReason();
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
    return EVENT_OVERHEAD
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
          case Event.OtherContent e -> weight(e.frame());
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
          EVENT_OVERHEAD
              + switch (part) {
                case Part.Text p -> p.text().utf8Bound();
                case Part.ToolCall p -> p.arguments().utf8Bound();
                case Part.Thinking p -> p.text().utf8Bound();
                case Part.Image p -> p.media().asUrl().utf8Bound();
                case Part.Audio p -> p.data().utf8Bound();
                case Part.Video p -> p.url().utf8Bound();
                case Part.File p -> p.file().writtenLength();
                case Part.ToolResult p -> EVENT_OVERHEAD;
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
