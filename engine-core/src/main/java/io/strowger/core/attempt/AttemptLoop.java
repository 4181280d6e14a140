package io.strowger.core.attempt;

import io.strowger.core.health.CatalogHealth;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.TrackedAttempt;
import io.strowger.core.inference.GatewayEnding;
import io.strowger.core.money.Funds;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.upstream.AdapterByKind;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.Loss;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tries the candidates of a plan one after the other until one delivers content. The caller sees
 * nothing of an attempt before its first content, so until then the next candidate can replace one
 * that failed, and afterwards none can. Confined to the request's thread.
 *
 * <p>A candidate is skipped, with a trace entry, when its endpoint was tried with the same
 * credential, is full or closed by health, when another endpoint of the model refused the request
 * itself, or when too little of the total time is left ({@link Deadlines#allowsAnotherAttempt}).
 */
public final class AttemptLoop {
  private final Ambient ambient;
  private final Catalog catalog;
  private final UpstreamResolver upstreamResolver;
  private final Deadlines deadlines;
  private final CatalogHealth board;
  private final JsonCodec codec;
  private final EndpointLimiter limiter;

  /**
   * @param catalog the catalog of the candidates
   * @param board the endpoints' health, consulted before each attempt and updated with its outcome
   * @param codec the codec that parses the arguments of tool calls
   * @param limiter the limiter that grants places at endpoints
   */
  public AttemptLoop(
      Ambient ambient,
      Catalog catalog,
      UpstreamResolver upstreamResolver,
      Deadlines deadlines,
      CatalogHealth board,
      JsonCodec codec,
      EndpointLimiter limiter) {
    this.ambient = ambient;
    this.catalog = catalog;
    this.upstreamResolver = upstreamResolver;
    this.deadlines = deadlines;
    this.board = board;
    this.codec = codec;
    this.limiter = limiter;
  }

  /** The outcome of a plan's attempts. */
  public sealed interface Outcome {
    /** Returns an entry for each attempt and each skipped candidate, in order. */
    List<TraceEntry> attempts();

    /**
     * A candidate delivers content.
     *
     * @param candidate the candidate that delivers
     * @param number the number of the attempt, from 1
     * @param dispatchedNanos when that attempt began, on {@link Ambient#nanoTime}
     * @param firstContentNanos when its content was let through, on the same clock
     * @param stream the answer from its first event on
     * @param brokeUnread whether the stream ended in a lost connection that its reader may have
     *     caused by not reading
     * @param losses what the translation lost so far; the reader of the stream adds to it
     */
    record Delivers(
        PlannedAttempt candidate,
        int number,
        long dispatchedNanos,
        long firstContentNanos,
        EventStream stream,
        BooleanSupplier brokeUnread,
        Losses losses,
        List<TraceEntry> attempts)
        implements Outcome {}

    /** No candidate delivers; the caller receives the error. */
    record Exhausted(GatewayError error, boolean cancelled, List<TraceEntry> attempts)
        implements Outcome {}
  }

  /**
   * What could not be expressed when one answer was translated; usually nothing. The answer's
   * reader adds to it, and the thread that ends the answer reads it.
   */
  public static final class Losses implements Consumer<Loss> {
    private volatile @Nullable List<Loss> told;

    @Override
    public void accept(Loss loss) {
      List<Loss> list = told;
      if (list == null) {
        list = Collections.synchronizedList(new ArrayList<>());
        told = list;
      }
      list.add(loss);
    }

    /** Returns the losses so far; the list grows while the answer is read. */
    public List<Loss> all() {
      List<Loss> list = told;
      return list == null ? List.of() : list;
    }
  }

  /**
   * Tries the candidates in order and returns the outcome.
   *
   * @param candidates the candidates, in the order to try them
   * @param attemptParameters what all attempts share; the cancellation in it is the one of the
   *     whole request
   * @param limits returns the output bounds of a candidate
   * @param watch the watch of the request
   */
  public Outcome run(
      List<PlannedAttempt> candidates,
      AttemptParameters attemptParameters,
      Function<PlannedAttempt, OutputBounds> limits,
      Watchdog.Watch watch) {
    var run = new Run(attemptParameters, watch);
    for (PlannedAttempt candidate : candidates) {
      if (attemptParameters.cancellation().isCancelled() || run.stopped) {
        break;
      }
      if (!run.admitCandidate(candidate)) {
        continue;
      }
      Outcome.Delivers delivered = run.attempt(candidate, limits.apply(candidate));
      if (delivered != null) {
        return delivered;
      }
      if (run.gatewayError != null) {
        return new Outcome.Exhausted(run.gatewayError, false, run.trace);
      }
    }
    return run.exhausted();
  }

  /**
   * The bounds of an attempt's output, in tokens.
   *
   * @param sent the limit to send to the upstream; 0 to send none
   * @param held the most output that the hold covers; 0 for no limit
   */
  public record OutputBounds(int sent, int held) {}

  /**
   * What all attempts of a request share.
   *
   * @param request the request, including the members that only the gateway reads
   * @param endUser the hash of the caller's end user; null when there is none
   * @param echo whether the stream begins with the body sent to each upstream
   * @param opener opens the adapter for each attempt
   * @param funds the money that pays for the attempts
   * @param cancellation the cancellation of the request
   * @param background whether no caller waits, so that other requests get places first
   * @param observer receives each attempt as it begins; null when calls are not observed
   */
  public record AttemptParameters(
      InferenceRequest request,
      @Nullable String endUser,
      boolean echo,
      Opener opener,
      Funds funds,
      Cancellation cancellation,
      boolean background,
      @Nullable AttemptObserver observer) {}

  /** Returns the list with one more element; an empty list is replaced by one that can grow. */
  private static <T> List<T> with(List<T> list, T more) {
    List<T> grown = list.isEmpty() ? new ArrayList<>() : list;
    grown.add(more);
    return grown;
  }

  /** The attempts of one request. */
  private final class Run {
    private final AttemptParameters attemptParameters;
    private final InferenceRequest sent; // the request as every attempt sends it
    private final Watchdog.Watch watch;
    private final List<TraceEntry> trace = new ArrayList<>(2);
    private final List<PlannedAttempt> tried = new ArrayList<>(2);
    // most first attempts deliver: these lists are created only on failure
    private List<ExhaustedAttempts.Attempted> failures = List.of();
    private List<PlannedAttempt> closed = List.of();
    private List<String> full = List.of(); // ids of endpoints
    private List<PlannedAttempt> givenUp = List.of();
    private final List<Event> echoes;
    private @Nullable GatewayError gatewayError; // ends the request: no candidate is at fault
    private boolean stopped;

    Run(AttemptParameters attemptParameters, Watchdog.Watch watch) {
      this.attemptParameters = attemptParameters;
      this.sent =
          GatewayMembers.removedFrom(attemptParameters.request(), attemptParameters.endUser());
      this.watch = watch;
      this.echoes = attemptParameters.echo() ? new ArrayList<>() : List.of();
    }

    boolean admitCandidate(PlannedAttempt candidate) {
      if (isGivenUp(candidate)) {
        return skip(candidate, "another endpoint of its model refused the request itself");
      }
      if (wasTried(candidate)) {
        return skip(candidate, "was tried with the same credential");
      }
      tried.add(candidate);
      long left = watch.leftNanos(ambient.nanoTime());
      long usual = board.published().of(candidate.endpoint()).latencyMicros(Percentile.P50);
      boolean first = failures.isEmpty();
      return first
          || deadlines.allowsAnotherAttempt(left, usual, attemptParameters.request().streaming())
          || skip(candidate, "too little time is left: " + left / 1_000_000 + " ms");
    }

    /**
     * Returns whether an endpoint of its model refused the request; a model may be listed twice, by
     * an alias or a variant.
     */
    private boolean isGivenUp(PlannedAttempt candidate) {
      for (PlannedAttempt given : givenUp) {
        if (given.model() == candidate.model()
            || given.endpoint().model().equals(candidate.endpoint().model())) {
          return true;
        }
      }
      return false;
    }

    /**
     * Returns whether the endpoint was tried with the same credential, whose capacity is shared.
     */
    private boolean wasTried(PlannedAttempt candidate) {
      for (PlannedAttempt one : tried) {
        if (one.endpoint().id().equals(candidate.endpoint().id())
            && Objects.equals(one.byokKey(), candidate.byokKey())) {
          return true;
        }
      }
      return false;
    }

    /** Notes why a candidate is skipped; always returns false. */
    private boolean skip(PlannedAttempt candidate, String why) {
      trace.add(new TraceEntry.Skipped(candidate.endpoint().id(), candidate.byokKey(), why));
      return false;
    }

    Outcome.@Nullable Delivers attempt(PlannedAttempt candidate, OutputBounds limit) {
      UpstreamResolver.Upstream upstream =
          upstreamResolver.of(candidate.endpoint().provider().slug(), candidate.byokKey());
      ChatProvider adapter =
          upstream == null
              ? null
              : AdapterByKind.of(upstream.adapter(), candidate.endpoint().kind());
      if (upstream == null || adapter == null) {
        skip(candidate, "no adapter speaks the provider's protocol, or the key is gone");
        return null;
      }
      String endpoint = candidate.endpoint().id();
      EndpointLimiter.Slot slot =
          attemptParameters.background()
              ? limiter.tryAcquireBackground(endpoint, candidate.byokKey())
              : limiter.tryAcquire(endpoint, candidate.byokKey());
      if (slot == null) {
        full = with(full, candidate.endpoint().id());
        skip(candidate, "has as many requests in flight as it may");
        return null;
      }
      TrackedAttempt health = board.begin(candidate);
      if (health == null) {
        slot.release();
        closed = with(closed, candidate);
        skip(candidate, "is cooling down, or its one probe is under way");
        return null;
      }
      try {
        return dispatched(
            candidate,
            new UpstreamResolver.Upstream(adapter, upstream.credential()),
            limit,
            slot,
            health);
      } catch (RuntimeException | Error bug) {
        slot.release();
        health.abandoned();
        throw bug;
      }
    }

    private Outcome.@Nullable Delivers dispatched(
        PlannedAttempt candidate,
        UpstreamResolver.Upstream upstream,
        OutputBounds limit,
        EndpointLimiter.Slot slot,
        TrackedAttempt health) {
      Cancellation.Child child = attemptParameters.cancellation().child();
      var judge = new ToolCallJudge(attemptParameters.request(), codec);
      long began = ambient.nanoTime();
      var watched = watched(child.cancellation(), began);
      watch.attempt(watched);
      var reporter = new AttemptHealthReporter(health, slot, child.cancellation(), judge, ambient);
      var losses = new Losses();
      AttemptObserver observer = attemptParameters.observer();
      ObservedAttempt observed =
          observer == null ? null : observer.begin(candidate.endpoint(), began);
      Call call = call(candidate, upstream, limit, losses, child.cancellation(), observed);
      AttemptOpening.Result result =
          new AttemptOpening(
                  ambient, watched, child, reporter, streaming() ? deadlines.drip() : null)
              .run(upstream.adapter(), call, way(), echoes);
      return switch (result) {
        case AttemptOpening.Result.Content content -> {
          if (observed != null) {
            observed.content(content.nanos());
          }
          yield delivers(candidate, began, content, losses);
        }
        case AttemptOpening.Result.Failed failed -> {
          if (!losses.all().isEmpty()) {
            trace.add(new TraceEntry.Translated(candidate.endpoint().id(), losses.all()));
          }
          long now = ambient.nanoTime();
          if (observed != null) {
            tell(observed, failed, now);
          }
          failed(candidate, failed.failure(), now - began);
          gatewayError = failed.gatewayError();
          yield null;
        }
      };
    }

    private static void tell(
        ObservedAttempt observed, AttemptOpening.Result.Failed failed, long now) {
      GatewayError own = failed.gatewayError();
      if (own == null) {
        observed.failed(failed.failure(), now);
      } else {
        observed.failedHere(own.code(), now);
      }
    }

    private AttemptOpening.OpeningContext way() {
      return new AttemptOpening.OpeningContext(
          attemptParameters.opener(), attemptParameters.funds(), attemptParameters.echo());
    }

    private boolean streaming() {
      return attemptParameters.request().streaming();
    }

    private Watchdog.Attempt watched(Cancellation cancellation, long began) {
      long allowed = deadlines.firstContent(attemptParameters.request().streaming()).toNanos();
      return new Watchdog.Attempt(cancellation, began + allowed, deadlines.gap().toNanos());
    }

    private Call call(
        PlannedAttempt candidate,
        UpstreamResolver.Upstream upstream,
        OutputBounds limit,
        Consumer<Loss> losses,
        Cancellation cancellation,
        @Nullable ObservedAttempt observed) {
      return new Call(
          candidate.endpoint(),
          upstream.credential(),
          sent,
          limit.sent(),
          limit.held(),
          attemptParameters.endUser(),
          deadlines.longestSilence(),
          catalog.models().get(candidate.endpoint().modelOrdinal()).reasoning(),
          losses,
          cancellation,
          observed == null ? null : observed.traceparent());
    }

    private Outcome.Delivers delivers(
        PlannedAttempt candidate,
        long began,
        AttemptOpening.Result.Content content,
        Losses losses) {
      trace.add(
          new TraceEntry.Attempted(
              candidate.endpoint().id(), candidate.byokKey(), 200, null, content.nanos() - began));
      return new Outcome.Delivers(
          candidate,
          failures.size() + 1,
          began,
          content.nanos(),
          content.stream(),
          content.stream()::brokeUnread,
          losses,
          trace);
    }

    private void failed(PlannedAttempt candidate, Failure failure, long took) {
      var endpoint = candidate.endpoint();
      trace.add(
          new TraceEntry.Attempted(
              endpoint.id(), candidate.byokKey(), failure.status(), failure.kind(), took));
      if (!attemptParameters
          .cancellation()
          .isCancelled()) { // otherwise the endpoint is not at fault
        failures = with(failures, new ExhaustedAttempts.Attempted(endpoint, failure));
      }
      switch (FailurePolicy.after(failure.kind())) {
        case NEXT_CANDIDATE -> {
          // the next one may do better
        }
        case NEXT_MODEL -> givenUp = with(givenUp, candidate);
        case STOP -> stopped = true;
      }
    }

    Outcome exhausted() {
      Cancellation.Cause cause = attemptParameters.cancellation().cause();
      if (cause != null) {
        return new Outcome.Exhausted(ended(cause), !cause.isTimeout(), trace);
      }
      return new Outcome.Exhausted(error(), false, trace);
    }

    private GatewayError ended(Cancellation.Cause cause) {
      return switch (cause) {
        case TOTAL, FIRST_CONTENT, GAP ->
            ExhaustedAttempts.withPrevious(GatewayError.of(ErrorCode.TIMEOUT), failures);
        case SHUTDOWN -> GatewayEnding.SHUTDOWN;
        case CALLER_GONE -> GatewayEnding.CALLER_GONE;
        case CLOSED -> GatewayError.of(ErrorCode.UNAVAILABLE);
      };
    }

    private GatewayError error() {
      if (failures.isEmpty() && !full.isEmpty()) {
        return limiter.refusal(full);
      }
      if (failures.isEmpty() && !closed.isEmpty()) {
        return ExhaustedAttempts.cooling(closed, board.published(), ambient.now());
      }
      boolean strict = !attemptParameters.request().preferences().allowFallbacks();
      return strict ? ExhaustedAttempts.ownError(failures) : ExhaustedAttempts.error(failures);
    }
  }
}
