package io.strowger.core.attempt;

import io.strowger.core.inference.GatewayEnding;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream of the attempt that delivers: first the events up to its first content, then each
 * later event when it arrives. The watchdog limits each wait. Whatever the adapter does, the stream
 * ends in exactly one terminal event.
 */
final class CommittedStream implements EventStream {
  private static final Logger log = LoggerFactory.getLogger(CommittedStream.class);

  private final EventStream upstream;
  private final Deque<Event> early;
  private final Watchdog.Attempt watch;
  private final Cancellation cancellation;
  private final Cancellation.Registration link;
  private final AttemptHealthReporter reporter;
  private boolean ended;
  private volatile boolean disconnectedWhileUnread;

  CommittedStream(
      EventStream upstream,
      Deque<Event> early,
      Watchdog.Attempt watch,
      Cancellation.Child child,
      AttemptHealthReporter reporter) {
    this.upstream = upstream;
    this.early = new ArrayDeque<>(early);
    this.watch = watch;
    this.cancellation = child.cancellation();
    this.link = child.link();
    this.reporter = reporter;
  }

  @Override
  public @Nullable Event next() {
    if (ended) {
      return null;
    }
    Event event = early.poll();
    if (event == null) {
      event = pull();
    }
    ended = event.isTerminal();
    return event;
  }

  private Event pull() {
    watch.countStep();
    try {
      Event next = upstream.next();
      Event event = next == null || next instanceof Event.Failed ? endingEvent(next) : next;
      reporter.onEvent(event);
      return event;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("an adapter failed in the middle of a stream", bug);
      reporter.recordAbandonment();
      return new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
    } finally {
      watch.countStep();
    }
  }

  /**
   * Returns whether the stream ended in a lost connection that its reader may have caused by not
   * reading for as long as an upstream may be silent.
   */
  boolean disconnectedWhileUnread() {
    return disconnectedWhileUnread;
  }

  /**
   * Returns the terminal event. The event is no failure of the upstream when the gateway ended the
   * stream.
   */
  private Event endingEvent(@Nullable Event event) {
    Cancellation.Cause cause = cancellation.cause();
    if (cause == Cancellation.Cause.CALLER_GONE) {
      return new Event.Failed(GatewayEnding.CALLER_GONE, FailurePolicy.unfinishedStream(cause));
    }
    GatewayError gatewayError = cause == null ? null : GatewayEnding.error(cause);
    if (gatewayError != null) {
      return new Event.Failed(gatewayError, null);
    }
    Failure failure = event instanceof Event.Failed failedEvent ? failedEvent.cause() : null;
    disconnectedWhileUnread = failure != null && failure.disconnected() && watch.isReaderPaused();
    return event != null ? event : Event.Failed.upstream(FailurePolicy.unfinishedStream(cause));
  }

  @Override
  public boolean ready() {
    return !early.isEmpty() || ended || upstream.ready();
  }

  @Override
  public void close() {
    reporter.recordAbandonment(); // no effect once the end was reported
    cancellation.cancel(Cancellation.Cause.CLOSED);
    link.close();
    upstream.close();
  }
}
