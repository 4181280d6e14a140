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
 * Answers from a script and remembers what it was asked.
 *
 * <pre>{@code
 * var upstream = new ScriptedProvider(ambient)
 *     .refuses(failure(RATE_LIMITED))
 *     .streams(started(), text("Hel"), pause(ofSeconds(61)), text("lo"), finished());
 * }</pre>
 *
 * The first call takes the first line of the script, and so on; {@link #always} and {@link
 * #alwaysRefuses} say what happens once it is used up. Without them one call more is an error. Safe
 * on any thread.
 */
public final class ScriptedProvider implements ChatProvider {
  /** What becomes of one call. */
  private interface Line {
    ScriptedStream play(Call call) throws UpstreamException;
  }

  private final Ambient ambient;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Line> script = new ArrayDeque<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<ScriptedStream> open = new ArrayList<>();
  private final List<AssertingEventStream> given = new ArrayList<>();
  private Line otherwise =
      call -> {
        throw new AssertionError("one call more than the script has lines: " + call.endpoint());
      };

  public ScriptedProvider(Ambient ambient) {
    this.ambient = ambient;
  }

  /** Next, no answer but this. */
  public ScriptedProvider refuses(Failure failure) {
    return add(
        call -> {
          throw new UpstreamException(failure);
        });
  }

  /** Next, a stream of these steps. */
  public ScriptedProvider streams(Step... steps) {
    List<Step> fixed = List.of(steps);
    return add(call -> new ScriptedStream(ambient, call.cancellation(), fixed));
  }

  /** Next, a whole answer, its usage reported before it. */
  public ScriptedProvider whole(Answer answer) {
    return add(call -> new ScriptedStream(ambient, call.cancellation(), steps(answer)));
  }

  /** Next, {@code open} itself is silent until the call is cancelled. */
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

  /** Next, the bug of an adapter: an exception that is no {@link UpstreamException}. */
  public ScriptedProvider breaks(RuntimeException bug) {
    return add(
        call -> {
          throw bug;
        });
  }

  /** When the script is used up, streams made from the call. */
  public ScriptedProvider always(Function<Call, List<Step>> steps) {
    locked(
        () ->
            otherwise =
                call -> new ScriptedStream(ambient, call.cancellation(), steps.apply(call)));
    return this;
  }

  /** When the script is used up, no answer but this. */
  public ScriptedProvider alwaysRefuses(Failure failure) {
    locked(
        () ->
            otherwise =
                call -> {
                  throw new UpstreamException(failure);
                });
    return this;
  }

  private static List<Step> steps(Answer answer) {
    var whole = Step.emit(new Event.CompleteAnswer(answer));
    return answer.usage() == null
        ? List.of(whole)
        : List.of(Step.emit(new Event.UsageReport(answer.usage(), null)), whole);
  }

  private ScriptedProvider add(Line line) {
    locked(() -> script.add(line));
    return this;
  }

  @Override
  public EventStream open(Call call) throws UpstreamException {
    Line line;
    lock.lock();
    try {
      calls.add(call);
      line = script.isEmpty() ? otherwise : script.removeFirst();
    } finally {
      lock.unlock();
    }
    Cancellation.Cause gone = call.cancellation().cause();
    if (gone != null) {
      throw new UpstreamException(ended(gone));
    }
    ScriptedStream played = line.play(call);
    var stream = new AssertingEventStream(call.endpoint().id(), played);
    locked(
        () -> {
          open.add(played);
          given.add(stream);
        });
    return stream;
  }

  /** How a call that was cancelled for this reason fails. */
  static Failure ended(Cancellation.Cause why) {
    return Failure.of(
        why.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED, "cancelled: " + why);
  }

  /**
   * The request's members with the endpoint's model in them. Once a plugin edited the request they
   * hold no conversation and no tools: ask {@link #calls()} for those.
   */
  @Override
  public Json body(Call call) {
    return call.request().members().with("model", Json.of(call.endpoint().upstreamModel()));
  }

  /** What was asked so far, in order. */
  public List<Call> calls() {
    lock.lock();
    try {
      return List.copyOf(calls);
    } finally {
      lock.unlock();
    }
  }

  /** Fails unless every stream given out was read by one thread at a time and then closed. */
  public void assertEveryStreamClosed() {
    List<AssertingEventStream> all;
    lock.lock();
    try {
      all = List.copyOf(given);
    } finally {
      lock.unlock();
    }
    Assertions.assertThat(all).allSatisfy(AssertingEventStream::assertUsedWell);
  }

  @Override
  public void close() {
    locked(() -> open.forEach(ScriptedStream::shutDown));
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }
}
