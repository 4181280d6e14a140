package io.strowger.simulated;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream of prepared events with pauses between them, which may stall after the last one. */
final class SimulatedStream implements EventStream {
  private final Iterator<Event> events;
  private final Duration delay;
  private final Ambient ambient;
  private final Cancellation cancellation;
  private final Runnable onEnd;
  private boolean textSent;
  private boolean ended;
  private volatile boolean closed;

  /**
   * @param events the prepared events; without a terminal event the stream stalls after them
   * @param delay time before each text but the first
   * @param onEnd run when the stream ends or is closed; may run more than once
   */
  SimulatedStream(
      List<Event> events,
      Duration delay,
      Ambient ambient,
      Cancellation cancellation,
      Runnable onEnd) {
    this.events = events.iterator();
    this.delay = delay;
    this.ambient = ambient;
    this.cancellation = cancellation;
    this.onEnd = onEnd;
  }

  @Override
  public @Nullable Event next() {
    if (ended || closed) {
      return null;
    }
    Event event = pull();
    if (closed) {
      return null;
    }
    if (event.isTerminal()) {
      ended = true;
      onEnd.run();
    }
    return event;
  }

  private Event pull() {
    Event event = events.hasNext() ? events.next() : null;
    if (event == null) {
      Pause.waitUntilCancelled(cancellation);
    } else if (event instanceof Event.TextDelta) {
      Pause.waitFor(textSent ? delay : Duration.ZERO, ambient, cancellation);
      textSent = true;
    }
    Cancellation.Cause cause = cancellation.cause();
    if (cause != null) {
      return Event.Failed.upstream(cancellationFailure(cause));
    }
    return event != null
        ? event
        : Event.Failed.upstream(Failure.of(FailureKind.CANCELLED, "interrupted"));
  }

  static Failure cancellationFailure(Cancellation.Cause cause) {
    return Failure.of(
        cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED, cause.toString());
  }

  @Override
  public boolean ready() {
    return ended || closed || events.hasNext() && (delay.isZero() || !textSent);
  }

  @Override
  public void close() {
    closed = true;
    cancellation.cancel(Cancellation.Cause.CLOSED);
    onEnd.run();
  }
}
