package io.strowger.core.attempt;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamFailure;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries the candidates of a plan one after the other until one delivers content. Nothing of an
 * attempt is shown before its first content, so up to there any failure can be made good by the
 * next candidate; after it, never. For the request's own thread.
 */
public final class AttemptLoop {
  private static final Logger log = LoggerFactory.getLogger(AttemptLoop.class);

  /** Most events kept back while content is awaited; upstreams send a handful. */
  private static final int MOST_EARLY = 10_000;

  private final Ambient ambient;
  private final Upstreams upstreams;
  private final Deadlines deadlines;

  public AttemptLoop(Ambient ambient, Upstreams upstreams, Deadlines deadlines) {
    this.ambient = ambient;
    this.upstreams = upstreams;
    this.deadlines = deadlines;
  }

  /** What came of a plan. */
  public sealed interface Outcome {
    /** Facts of every attempt, in order. */
    List<TraceEntry> attempts();

    /**
     * One candidate delivers.
     *
     * @param candidate which
     * @param number of the attempt, from 1
     * @param dispatchedNanos when that attempt began
     * @param firstContentNanos when its content came
     * @param stream from its first event on
     */
    record Delivers(
        Candidate candidate,
        int number,
        long dispatchedNanos,
        long firstContentNanos,
        EventStream stream,
        List<TraceEntry> attempts)
        implements Outcome {}

    /** Nobody delivers, and this is what the caller reads. */
    record Exhausted(GatewayError error, boolean cancelled, List<TraceEntry> attempts)
        implements Outcome {}
  }

  /**
   * @param candidates in the order to try
   * @param template the call but for what depends on the candidate; its cancellation is that of the
   *     request
   * @param outputCap most output tokens to ask a candidate for; 0 for no limit
   * @param watch of the request
   */
  public Outcome run(
      List<Candidate> candidates,
      Template template,
      ToIntFunction<Candidate> outputCap,
      Watchdog.Watch watch) {
    var run = new Run(template, watch);
    for (Candidate candidate : candidates) {
      if (template.cancellation().isCancelled()) {
        break;
      }
      if (run.givenUpModels.contains(candidate.endpoint().model())) {
        continue;
      }
      Outcome.Delivers delivered = run.attempt(candidate, outputCap.applyAsInt(candidate));
      if (delivered != null) {
        return delivered;
      }
      if (run.stopped) {
        break;
      }
      if (run.bug != null) {
        return new Outcome.Exhausted(run.bug, false, run.trace);
      }
    }
    return run.exhausted();
  }

  /**
   * What all attempts of a request share.
   *
   * @param request what is asked
   * @param endUser stands for the caller's end user
   * @param echo the stream begins with the body sent to each upstream
   * @param cancellation of the request
   */
  public record Template(
      InferenceRequest request,
      @Nullable String endUser,
      boolean echo,
      Cancellation cancellation) {}

  /** One request's way through its candidates. */
  private final class Run {
    private final Template template;
    private final Watchdog.Watch watch;
    private final List<TraceEntry> trace = new ArrayList<>();
    private final List<Exhaustion.Attempted> failures = new ArrayList<>();
    private final List<String> givenUpModels = new ArrayList<>();
    private final List<Event> echoes = new ArrayList<>();
    private @Nullable GatewayError bug;
    private boolean stopped;

    Run(Template template, Watchdog.Watch watch) {
      this.template = template;
      this.watch = watch;
    }

    Outcome.@Nullable Delivers attempt(Candidate candidate, int outputCap) {
      long began = ambient.nanoTime();
      Cancellation.Child child = template.cancellation().child();
      var watched =
          new Watchdog.Attempt(
              child.cancellation(),
              began + deadlines.firstContent(template.request().streaming()).toNanos(),
              deadlines.gap().toNanos());
      watch.attempt(watched);
      EventStream stream = null;
      boolean delivers = false;
      try {
        stream = open(candidate, outputCap, child.cancellation());
        var early = new ArrayDeque<Event>(echoes);
        Failure failure = untilContent(stream, early);
        if (failure == null) {
          delivers = true;
          watched.commit();
          long content = ambient.nanoTime();
          trace.add(
              new TraceEntry.Attempted(
                  candidate.endpoint().id(), candidate.byokKey(), 200, null, content - began));
          return new Outcome.Delivers(
              candidate,
              failures.size() + 1,
              began,
              content,
              new CommittedStream(stream, early, watched, child),
              trace);
        }
        failed(candidate, failure, began);
      } catch (UpstreamFailure refused) {
        failed(candidate, refused.failure(), began);
      } catch (RuntimeException thrown) {
        log.error("the adapter of {} failed", candidate.endpoint(), thrown);
        failed(candidate, Failure.of(FailureKind.PROTOCOL, "the adapter failed"), began);
        bug = GatewayError.of(ErrorCode.INTERNAL);
      } finally {
        if (!delivers) {
          child.cancellation().cancel(Cancellation.Cause.CLOSED);
          child.link().close();
          if (stream != null) {
            stream.close();
          }
        }
      }
      return null;
    }

    private EventStream open(Candidate candidate, int outputCap, Cancellation cancellation)
        throws UpstreamFailure {
      var endpoint = candidate.endpoint();
      Upstreams.Upstream upstream = upstreams.of(endpoint.provider().slug());
      if (upstream == null) {
        throw new UpstreamFailure(
            Failure.of(FailureKind.UNAVAILABLE, "no adapter speaks the provider's protocol"));
      }
      var call =
          new Call(
              endpoint,
              upstream.credential(),
              template.request(),
              outputCap,
              template.endUser(),
              deadlines.longestSilence(),
              cancellation);
      if (template.echo()) {
        echoes.add(new Event.Debug(upstream.adapter().body(call)));
      }
      return upstream.adapter().open(call);
    }

    /** Pulls up to the first content; what failed before it, or null. */
    private @Nullable Failure untilContent(EventStream stream, Deque<Event> early) {
      while (true) {
        Event event = stream.next();
        if (event == null) {
          return Failure.of(FailureKind.PROTOCOL, "the stream ended without saying so");
        }
        if (event instanceof Event.Failed failed) {
          Failure cause = failed.cause();
          return cause != null ? cause : Failure.of(FailureKind.PROTOCOL, failed.error().message());
        }
        if (early.size() == MOST_EARLY) {
          return Failure.of(FailureKind.PROTOCOL, "nothing but events without content");
        }
        early.add(event);
        if (event.isContent()) {
          return null;
        }
      }
    }

    private void failed(Candidate candidate, Failure failure, long began) {
      var endpoint = candidate.endpoint();
      trace.add(
          new TraceEntry.Attempted(
              endpoint.id(),
              candidate.byokKey(),
              failure.status(),
              failure.kind(),
              ambient.nanoTime() - began));
      failures.add(new Exhaustion.Attempted(endpoint, failure));
      switch (Failures.after(failure.kind())) {
        case NEXT_CANDIDATE -> {
          // the next one may do better
        }
        case NEXT_MODEL -> givenUpModels.add(endpoint.model());
        case STOP -> stopped = true;
      }
    }

    Outcome exhausted() {
      Cancellation.Cause cause = template.cancellation().cause();
      if (cause != null) {
        boolean late = cause.isTimeout();
        GatewayError error =
            late
                ? Exhaustion.withPrevious(GatewayError.of(ErrorCode.TIMEOUT), failures)
                : GatewayError.of(ErrorCode.UNAVAILABLE);
        return new Outcome.Exhausted(error, !late, trace);
      }
      return new Outcome.Exhausted(Exhaustion.error(failures), false, trace);
    }
  }
}
