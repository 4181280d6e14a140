package io.strowger.core.attempt;

import io.strowger.core.meter.DeliveredOutput;
import io.strowger.core.money.Funds;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one attempt up to its first content or failure. Closes the stream of an attempt that fails;
 * the caller closes the stream of one that delivers. Confined to the request's thread.
 */
final class AttemptOpening {
  private static final Logger log = LoggerFactory.getLogger(AttemptOpening.class);

  /** The most events kept until content comes; upstreams send a handful. */
  private static final int MAX_EARLY = 10_000;

  /** The most bytes kept of a stream that may be too slow; one that sends more is fast enough. */
  private static final long MAX_HELD_BYTES = 64 << 10;

  private final Ambient ambient;
  private final Watchdog.Attempt watchedAttempt;
  private final Cancellation.Child child;
  private final AttemptHealthReporter reporter;
  private final @Nullable SlowStreamGuard guard;
  private @Nullable GatewayError gatewayError; // set when the upstream is not at fault

  /** The result of an attempt's opening. */
  sealed interface Result {
    /**
     * The attempt has delivered content.
     *
     * @param nanos when the content was let through, on {@link Ambient#nanoTime}
     */
    record Content(CommittedStream stream, long nanos) implements Result {}

    /**
     * The attempt has failed before its first content.
     *
     * @param gatewayError the error for the caller when the adapter or a plugin failed, not the
     *     upstream, so that no other candidate can help; null otherwise
     */
    record Failed(Failure failure, @Nullable GatewayError gatewayError) implements Result {}
  }

  /**
   * @param child the attempt's cancellation, a child of the request's
   * @param guard the guard against slow streams; null for none
   */
  AttemptOpening(
      Ambient ambient,
      Watchdog.Attempt watchedAttempt,
      Cancellation.Child child,
      AttemptHealthReporter reporter,
      @Nullable SlowStreamGuard guard) {
    this.ambient = ambient;
    this.watchedAttempt = watchedAttempt;
    this.child = child;
    this.reporter = reporter;
    this.guard = guard;
  }

  /**
   * Runs the attempt up to its first content or failure.
   *
   * @param adapter the adapter of the candidate's provider
   * @param call the call, with the cancellation of the attempt
   * @param leadingEvents the events to deliver first once the attempt delivers
   */
  Result run(
      ChatProvider adapter, Call call, OpeningContext openingContext, List<Event> leadingEvents) {
    EventStream stream = null;
    boolean delivers = false;
    try {
      ChatProvider target =
          openingContext.echoesBody()
              ? new EchoingProvider(adapter, leadingEvents, openingContext.funds())
              : adapter;
      stream = openingContext.opener().open(target, call, openingContext.funds());
      var early = new ArrayDeque<>(leadingEvents);
      Failure failure = readUntilContent(stream, early);
      if (failure == null && guard != null) {
        failure = readUntilFastEnough(stream, early, guard);
      }
      if (failure != null) {
        return failedResult(failure);
      }
      delivers = true;
      watchedAttempt.commit();
      var committed = new CommittedStream(stream, early, watchedAttempt, child, reporter);
      return new Result.Content(committed, ambient.nanoTime());
    } catch (UpstreamException e) {
      return failedResult(e.failure());
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("the adapter of {} failed", call.endpoint(), bug);
      reporter.recordAbandonment();
      return new Result.Failed(
          Failure.of(FailureKind.PROTOCOL, "the adapter failed"),
          GatewayError.of(ErrorCode.INTERNAL));
    } finally {
      if (!delivers) {
        release(stream);
      }
    }
  }

  /**
   * How an adapter is opened.
   *
   * @param funds the money that pays for the attempt
   * @param echoesBody whether the body sent upstream is added to the events delivered first
   */
  record OpeningContext(Opener opener, Funds funds, boolean echoesBody) {}

  /** Adds an event with the body of the call that reaches the adapter, after all plugins. */
  private record EchoingProvider(ChatProvider adapter, List<Event> leadingEvents, Funds funds)
      implements ChatProvider {
    @Override
    public EventStream open(Call call) throws UpstreamException {
      leadingEvents.add(new Event.UpstreamBodyEcho(adapter.body(call)));
      return funds.open(adapter, call);
    }

    @Override
    public Json body(Call call) {
      return adapter.body(call);
    }

    @Override
    public void close() {
      adapter.close();
    }
  }

  private Result failedResult(Failure upstreamFailure) {
    if (gatewayError != null) {
      return new Result.Failed(upstreamFailure, gatewayError); // the endpoint is not at fault
    }
    Failure failure =
        FailurePolicy.timeoutIfDeadlinePassed(upstreamFailure, child.cancellation().cause());
    reporter.recordFailure(failure);
    return new Result.Failed(failure, null);
  }

  private void release(@Nullable EventStream stream) {
    reporter.recordAbandonment(); // no effect once another end was reported
    child.cancellation().cancel(Cancellation.Cause.CLOSED);
    child.link().close();
    if (stream != null) {
      stream.close();
    }
  }

  /** Reads up to the first content; returns the failure before it, or null. */
  private @Nullable Failure readUntilContent(EventStream stream, Deque<Event> early) {
    while (true) {
      Event event = stream.next();
      Failure failure = failureIn(event);
      if (failure != null || event == null) {
        return failure;
      }
      if (early.size() == MAX_EARLY) {
        return Failure.of(FailureKind.PROTOCOL, "the stream has too many events without content");
      }
      reporter.onEvent(event);
      early.add(event);
      if (event.isContent()) {
        return null;
      }
    }
  }

  /**
   * Returns the failure that an event, or null for the end of the stream, signals; null for none.
   */
  private @Nullable Failure failureIn(@Nullable Event event) {
    if (event == null) {
      return FailurePolicy.unfinishedStream(child.cancellation().cause());
    }
    if (event instanceof Event.Failed failed) {
      Failure cause = failed.cause();
      if (cause != null) {
        return cause;
      }
      gatewayError = failed.error();
      return Failure.of(FailureKind.PROTOCOL, "the gateway or a plugin failed, not the upstream");
    }
    return endsInError(event)
        ? Failure.of(FailureKind.UNAVAILABLE, "the answer ended in an error")
        : null;
  }

  /**
   * Reads on after the first content until the stream has sent enough or the answer is complete; a
   * stream that takes longer than the window is too slow. The watchdog ends a wait that outlasts
   * the window.
   */
  private @Nullable Failure readUntilFastEnough(
      EventStream stream, Deque<Event> early, SlowStreamGuard slowStreamGuard) {
    long deadline = ambient.nanoTime() + slowStreamGuard.window().toNanos();
    watchedAttempt.extendFirstContent(deadline);
    Event last = early.peekLast();
    var output = new DeliveredOutput();
    while (reporter.bytes() < slowStreamGuard.requiredBytes()
        && last != null
        && !last.isTerminal()) {
      Event event = stream.next();
      boolean isLate = ambient.nanoTime() - deadline >= 0;
      Failure failure = failureIn(event);
      if (isLate) {
        return Failure.of(FailureKind.TIMEOUT, slowStreamGuard.timeoutMessage());
      }
      if (failure != null || event == null) {
        return failure;
      }
      reporter.onEvent(event);
      early.add(event);
      output.add(event);
      if (early.size() >= MAX_EARLY || output.bytes() > MAX_HELD_BYTES) {
        return null; // so much output is fast enough, however little is text
      }
      last = event;
    }
    return null;
  }

  private static boolean endsInError(Event event) {
    return event instanceof Event.Finished finished && finished.reason() == StopReason.ERROR
        || event instanceof Event.CompleteAnswer completeAnswer
            && completeAnswer.answer().stopReason() == StopReason.ERROR;
  }
}
