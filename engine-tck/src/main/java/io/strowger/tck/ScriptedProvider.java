package io.strowger.tck;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.assertj.core.api.Assertions;

/**
 * A provider that answers from a script and records the calls.
 *
 * <pre>{@code
 * var upstream = new ScriptedProvider(ambient)
 *     .refuses(failure(RATE_LIMITED))
 *     .streams(started(), text("Hel"), pause(ofSeconds(61)), text("lo"), finished());
 * }</pre>
 *
 * Each call plays the next entry of the script. {@link #always} and {@link #alwaysRefuses} set the
 * answers to calls after the end of the script; unless one of them is used, such a call is an
 * error. Safe on any thread.
 */
public final class ScriptedProvider implements ChatProvider {
  /** The answer to one call. */
  private interface ScriptedAnswer {
    ScriptedStream play(Call call) throws UpstreamException;
  }

  private final Ambient ambient;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<ScriptedAnswer> script = new ArrayDeque<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<ScriptedStream> open = new ArrayList<>();
  private final List<AssertingEventStream> returnedStreams = new ArrayList<>();
  private ScriptedAnswer afterScript =
      call -> {
        throw new AssertionError("more calls than the script has entries: " + call.endpoint());
      };

  public ScriptedProvider(Ambient ambient) {
    this.ambient = ambient;
  }

  /** Adds a refusal with this failure to the script. */
  public ScriptedProvider refuses(Failure failure) {
    return add(
        call -> {
          throw new UpstreamException(failure);
        });
  }

  /** Adds a stream of these steps to the script. */
  public ScriptedProvider streams(Step... steps) {
    List<Step> fixed = List.of(steps);
    return add(call -> new ScriptedStream(ambient, call.cancellation(), fixed));
  }

  /** Adds a complete answer to the script, preceded by a report of its usage. */
  public ScriptedProvider answers(Answer answer) {
    return add(call -> new ScriptedStream(ambient, call.cancellation(), steps(answer)));
  }

  /**
   * Adds an answer to the script that never comes: {@code open} blocks until the call is cancelled.
   */
  public ScriptedProvider stallsInOpen() {
    return add(
        call -> {
          var silence = new ScriptedStream(ambient, call.cancellation(), List.of(Step.stall()));
          if (silence.next() instanceof Event.Failed failed && failed.cause() != null) {
            throw new UpstreamException(failed.cause());
          }
          return silence;
        });
  }

  /**
   * Adds a bug to the script: {@code open} throws an exception that is not an {@link
   * UpstreamException}.
   */
  public ScriptedProvider breaks(RuntimeException bug) {
    return add(
        call -> {
          throw bug;
        });
  }

  /**
   * Answers all calls after the end of the script with streams that a function makes from the call.
   */
  public ScriptedProvider always(Function<Call, List<Step>> steps) {
    runLocked(
        () ->
            afterScript =
                call -> new ScriptedStream(ambient, call.cancellation(), steps.apply(call)));
    return this;
  }

  /** Refuses all calls after the end of the script with this failure. */
  public ScriptedProvider alwaysRefuses(Failure failure) {
    runLocked(
        () ->
            afterScript =
                call -> {
                  throw new UpstreamException(failure);
                });
    return this;
  }

  private static List<Step> steps(Answer answer) {
    var complete = Step.emit(new Event.CompleteAnswer(answer));
    return answer.usage() == null
        ? List.of(complete)
        : List.of(Step.emit(new Event.UsageReport(answer.usage(), null)), complete);
  }

  private ScriptedProvider add(ScriptedAnswer entry) {
    runLocked(() -> script.add(entry));
    return this;
  }

  @Override
  public EventStream open(Call call) throws UpstreamException {
    ScriptedAnswer entry;
    lock.lock();
    try {
      calls.add(call);
      entry = script.isEmpty() ? afterScript : script.removeFirst();
    } finally {
      lock.unlock();
    }
    Cancellation.Cause cause = call.cancellation().cause();
    if (cause != null) {
      throw new UpstreamException(failureOf(cause));
    }
    ScriptedStream scripted = entry.play(call);
    var stream = new AssertingEventStream(call.endpoint().id(), scripted);
    runLocked(
        () -> {
          open.add(scripted);
          returnedStreams.add(stream);
        });
    return stream;
  }

  /** Returns the failure of a call that was cancelled for this cause. */
  static Failure failureOf(Cancellation.Cause cause) {
    return Failure.of(
        cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED, "cancelled: " + cause);
  }

  /**
   * Returns the request's members with the endpoint's model. After a plugin has changed the
   * request, they contain neither the conversation nor the tools; use {@link #calls()} to check
   * those.
   */
  @Override
  public Json body(Call call) {
    return call.request().members().with("model", Json.of(call.endpoint().upstreamModel()));
  }

  /** Returns the calls so far, in order. */
  public List<Call> calls() {
    lock.lock();
    try {
      return List.copyOf(calls);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Throws an {@link AssertionError} unless every returned stream was closed and read by one thread
   * at a time.
   */
  public void assertEveryStreamClosed() {
    List<AssertingEventStream> streams;
    lock.lock();
    try {
      streams = List.copyOf(returnedStreams);
    } finally {
      lock.unlock();
    }
    Assertions.assertThat(streams).allSatisfy(AssertingEventStream::assertUsedCorrectly);
  }

  @Override
  public void close() {
    runLocked(() -> open.forEach(ScriptedStream::shutDown));
  }

  private void runLocked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }
}
