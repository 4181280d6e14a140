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
 * nothing of an attempt before its first content. Until then the next candidate can replace one
 * that failed; afterwards none can.
 *
 * <p>A candidate is skipped, with a trace entry, when its endpoint was tried with the same
 * credential, has no adapter, has no free place or is cooling down after failures. It is also
 * skipped when another endpoint of the model refused the request itself, or when too little of the
 * total time is left ({@link Deadlines#allowsAnotherAttempt}).
 *
 * <p>An attempt takes a place at the endpoint, asks the endpoint's breaker, opens the upstream's
 * stream and reads it up to the first content. Confined to the request's thread; the thread that
 * reads the returned stream may be another.
 */
public final class AttemptLoop {
  private final Ambient ambient;
  private final Catalog catalog;
  private final UpstreamResolver upstreamResolver;
  private final Deadlines deadlines;
  private final CatalogHealth catalogHealth;
  private final JsonCodec codec;
  private final EndpointLimiter limiter;

  /**
   * @param catalog the catalog of the candidates
   * @param catalogHealth the endpoints' health, consulted before each attempt and updated with its
   *     outcome
   * @param codec the codec that parses the arguments of tool calls
   * @param limiter the limiter that grants places at endpoints
   */
  public AttemptLoop(
      Ambient ambient,
      Catalog catalog,
      UpstreamResolver upstreamResolver,
      Deadlines deadlines,
      CatalogHealth catalogHealth,
      JsonCodec codec,
      EndpointLimiter limiter) {
    this.ambient = ambient;
    this.catalog = catalog;
    this.upstreamResolver = upstreamResolver;
    this.deadlines = deadlines;
    this.catalogHealth = catalogHealth;
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
     * @param firstContentNanos when its first content was let through, on the same clock
     * @param stream the answer from its first event on
     * @param disconnectedWhileUnread whether the stream ended in a lost connection that its reader
     *     may have caused by not reading
     * @param losses what the translation lost so far; the reader of the stream adds to it
     */
    record Delivery(
        PlannedAttempt candidate,
        int number,
        long dispatchedNanos,
        long firstContentNanos,
        EventStream stream,
        BooleanSupplier disconnectedWhileUnread,
        Losses losses,
        List<TraceEntry> attempts)
        implements Outcome {}

    /**
     * No candidate delivers; the caller receives the error.
     *
     * @param cancelled whether the request was cancelled for another reason than a deadline
     */
    record Exhausted(GatewayError error, boolean cancelled, List<TraceEntry> attempts)
        implements Outcome {}
  }

  /**
   * What could not be expressed when one answer was translated; usually nothing. The answer's
   * reader adds to it, and the thread that ends the answer reads it.
   */
  public static final class Losses implements Consumer<Loss> {
    private volatile @Nullable List<Loss> entries;

    @Override
    public void accept(Loss loss) {
      List<Loss> list = entries;
      if (list == null) {
        list = Collections.synchronizedList(new ArrayList<>());
        entries = list;
      }
      list.add(loss);
    }

    /** Returns the losses so far; the list grows while the answer is read. */
    public List<Loss> all() {
      List<Loss> list = entries;
      return list == null ? List.of() : list;
    }
  }

  /**
   * Tries the candidates in order and returns the outcome.
   *
   * @param candidates the candidates, in the order to try them
   * @param attemptParameters what all attempts share
   * @param outputBounds returns the output bounds of a candidate
   * @param watch the watch of the request
   */
  public Outcome run(
      List<PlannedAttempt> candidates,
      AttemptParameters attemptParameters,
      Function<PlannedAttempt, OutputBounds> outputBounds,
      Watchdog.Watch watch) {
    var run = new Run(attemptParameters, watch);
    for (PlannedAttempt candidate : candidates) {
      if (attemptParameters.cancellation().isCancelled() || run.stopped) {
        break;
      }
      if (!run.admitCandidate(candidate)) {
        continue;
      }
      Outcome.Delivery delivery = run.attempt(candidate, outputBounds.apply(candidate));
      if (delivery != null) {
        return delivery;
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
   * @param upstreamLimit the limit to send to the upstream; 0 to send none
   * @param holdLimit the most output that the hold covers; 0 for no limit
   */
  public record OutputBounds(int upstreamLimit, int holdLimit) {}

  /**
   * What all attempts of a request share.
   *
   * @param request the request, including the members that only the gateway reads
   * @param endUser the hash of the caller's end user; null when there is none
   * @param echoesBody whether the stream begins with the body sent to each upstream
   * @param opener opens the adapter for each attempt
   * @param funds the money that pays for the attempts
   * @param cancellation the cancellation of the request
   * @param isBackground whether no caller waits, so that other requests get places first
   * @param observer receives each attempt as it begins; null when calls are not observed
   */
  public record AttemptParameters(
      InferenceRequest request,
      @Nullable String endUser,
      boolean echoesBody,
      Opener opener,
      Funds funds,
      Cancellation cancellation,
      boolean isBackground,
      @Nullable AttemptObserver observer) {}

  /** Returns the list with one more element; an empty list is replaced by one that can grow. */
  private static <T> List<T> append(List<T> list, T element) {
    List<T> result = list.isEmpty() ? new ArrayList<>() : list;
    result.add(element);
    return result;
  }

  /** The attempts of one request. */
  private final class Run {
    private final AttemptParameters attemptParameters;
    private final InferenceRequest upstreamRequest; // the request as every attempt sends it
    private final Watchdog.Watch watch;
    private final List<TraceEntry> trace = new ArrayList<>(2);
    private final List<PlannedAttempt> triedCandidates = new ArrayList<>(2);
    // these lists are created only on failure, since most first attempts deliver
    private List<ExhaustedAttempts.FailedAttempt> failures = List.of();
    private List<PlannedAttempt> coolingDownCandidates = List.of();
    private List<String> fullEndpoints = List.of(); // ids of endpoints
    private List<PlannedAttempt> refusingCandidates = List.of();
    private final List<Event> echoes;
    private @Nullable GatewayError gatewayError; // ends the loop: no candidate is at fault
    private boolean stopped; // after a failure that no other candidate can mend

    Run(AttemptParameters attemptParameters, Watchdog.Watch watch) {
      this.attemptParameters = attemptParameters;
      this.upstreamRequest =
          GatewayMembers.removeFrom(attemptParameters.request(), attemptParameters.endUser());
      this.watch = watch;
      this.echoes = attemptParameters.echoesBody() ? new ArrayList<>() : List.of();
    }

    /** Returns whether to attempt a candidate; otherwise notes why it is skipped. */
    boolean admitCandidate(PlannedAttempt candidate) {
      if (isRefused(candidate)) {
        return skip(candidate, "another endpoint of its model refused the request itself");
      }
      if (wasTried(candidate)) {
        return skip(candidate, "was tried with the same credential");
      }
      triedCandidates.add(candidate);
      long remainingNanos = watch.remainingNanos(ambient.nanoTime());
      long medianMicros =
          catalogHealth.published().of(candidate.endpoint()).latencyMicros(Percentile.P50);
      boolean isFirst = failures.isEmpty();
      return isFirst
          || deadlines.allowsAnotherAttempt(
              remainingNanos, medianMicros, attemptParameters.request().streaming())
          || skip(candidate, "too little time is left: " + remainingNanos / 1_000_000 + " ms");
    }

    /**
     * Returns whether an endpoint of the candidate's model refused the request; a model may be
     * listed twice, by an alias or a variant.
     */
    private boolean isRefused(PlannedAttempt candidate) {
      for (PlannedAttempt refusing : refusingCandidates) {
        if (refusing.modelIndex() == candidate.modelIndex()
            || refusing.endpoint().model().equals(candidate.endpoint().model())) {
          return true;
        }
      }
      return false;
    }

    /**
     * Returns whether the endpoint was tried with the same credential: a second attempt would meet
     * the same limits.
     */
    private boolean wasTried(PlannedAttempt candidate) {
      for (PlannedAttempt previous : triedCandidates) {
        if (previous.endpoint().id().equals(candidate.endpoint().id())
            && Objects.equals(previous.byokKey(), candidate.byokKey())) {
          return true;
        }
      }
      return false;
    }

    /** Notes why a candidate is skipped; always returns false. */
    private boolean skip(PlannedAttempt candidate, String reason) {
      trace.add(new TraceEntry.Skipped(candidate.endpoint().id(), candidate.byokKey(), reason));
      return false;
    }

    /** Attempts a candidate; returns null when it is skipped after all, or fails. */
    Outcome.@Nullable Delivery attempt(PlannedAttempt candidate, OutputBounds bounds) {
      UpstreamResolver.Upstream upstream =
          upstreamResolver.resolve(candidate.endpoint().provider().slug(), candidate.byokKey());
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
          attemptParameters.isBackground()
              ? limiter.tryAcquireBackground(endpoint, candidate.byokKey())
              : limiter.tryAcquire(endpoint, candidate.byokKey());
      if (slot == null) {
        fullEndpoints = append(fullEndpoints, candidate.endpoint().id());
        skip(candidate, "has as many requests in flight as it may");
        return null;
      }
      TrackedAttempt health = catalogHealth.begin(candidate);
      if (health == null) {
        slot.release();
        coolingDownCandidates = append(coolingDownCandidates, candidate);
        skip(candidate, "is cooling down, or its one probe is under way");
        return null;
      }
      try {
        return dispatch(
            candidate,
            new UpstreamResolver.Upstream(adapter, upstream.credential()),
            bounds,
            slot,
            health);
      } catch (RuntimeException | Error bug) {
        slot.release();
        health.abandon();
        throw bug;
      }
    }

    /** Sends the request and waits for the first content; returns null when the attempt fails. */
    private Outcome.@Nullable Delivery dispatch(
        PlannedAttempt candidate,
        UpstreamResolver.Upstream upstream,
        OutputBounds bounds,
        EndpointLimiter.Slot slot,
        TrackedAttempt health) {
      Cancellation.Child child = attemptParameters.cancellation().child();
      var judge = new ToolCallJudge(attemptParameters.request(), codec);
      long startNanos = ambient.nanoTime();
      var watchedAttempt = newWatchedAttempt(child.cancellation(), startNanos);
      watch.setAttempt(watchedAttempt);
      var reporter = new AttemptHealthReporter(health, slot, child.cancellation(), judge, ambient);
      var losses = new Losses();
      AttemptObserver observer = attemptParameters.observer();
      ObservedAttempt observed =
          observer == null ? null : observer.begin(candidate.endpoint(), startNanos);
      Call call = newCall(candidate, upstream, bounds, losses, child.cancellation(), observed);
      AttemptOpening.Result result =
          new AttemptOpening(
                  ambient,
                  watchedAttempt,
                  child,
                  reporter,
                  isStreaming() ? deadlines.slowStreamGuard() : null)
              .run(upstream.adapter(), call, openingContext(), echoes);
      return switch (result) {
        case AttemptOpening.Result.Content content -> {
          if (observed != null) {
            observed.firstContent(content.nanos());
          }
          yield recordDelivery(candidate, startNanos, content, losses);
        }
        case AttemptOpening.Result.Failed failed -> {
          if (!losses.all().isEmpty()) {
            trace.add(new TraceEntry.Translated(candidate.endpoint().id(), losses.all()));
          }
          long endNanos = ambient.nanoTime();
          if (observed != null) {
            reportFailure(observed, failed, endNanos);
          }
          recordFailure(candidate, failed.failure(), endNanos - startNanos);
          gatewayError = failed.gatewayError();
          yield null;
        }
      };
    }

    private static void reportFailure(
        ObservedAttempt observed, AttemptOpening.Result.Failed failed, long now) {
      GatewayError error = failed.gatewayError();
      if (error == null) {
        observed.failed(failed.failure(), now);
      } else {
        observed.failedInGateway(error.code(), now);
      }
    }

    private AttemptOpening.OpeningContext openingContext() {
      return new AttemptOpening.OpeningContext(
          attemptParameters.opener(), attemptParameters.funds(), attemptParameters.echoesBody());
    }

    private boolean isStreaming() {
      return attemptParameters.request().streaming();
    }

    private Watchdog.Attempt newWatchedAttempt(Cancellation cancellation, long startNanos) {
      long limitNanos = deadlines.firstContent(attemptParameters.request().streaming()).toNanos();
      return new Watchdog.Attempt(cancellation, startNanos + limitNanos, deadlines.gap().toNanos());
    }

    private Call newCall(
        PlannedAttempt candidate,
        UpstreamResolver.Upstream upstream,
        OutputBounds bounds,
        Consumer<Loss> losses,
        Cancellation cancellation,
        @Nullable ObservedAttempt observed) {
      return new Call(
          candidate.endpoint(),
          upstream.credential(),
          upstreamRequest,
          bounds.upstreamLimit(),
          bounds.holdLimit(),
          attemptParameters.endUser(),
          deadlines.socketReadTimeout(),
          catalog.models().get(candidate.endpoint().modelOrdinal()).reasoning(),
          losses,
          cancellation,
          observed == null ? null : observed.traceparent());
    }

    private Outcome.Delivery recordDelivery(
        PlannedAttempt candidate,
        long startNanos,
        AttemptOpening.Result.Content content,
        Losses losses) {
      trace.add(
          new TraceEntry.Attempted(
              candidate.endpoint().id(),
              candidate.byokKey(),
              200,
              null,
              content.nanos() - startNanos));
      return new Outcome.Delivery(
          candidate,
          failures.size() + 1,
          startNanos,
          content.nanos(),
          content.stream(),
          content.stream()::disconnectedWhileUnread,
          losses,
          trace);
    }

    private void recordFailure(PlannedAttempt candidate, Failure failure, long durationNanos) {
      var endpoint = candidate.endpoint();
      trace.add(
          new TraceEntry.Attempted(
              endpoint.id(), candidate.byokKey(), failure.status(), failure.kind(), durationNanos));
      if (!attemptParameters
          .cancellation()
          .isCancelled()) { // a cancelled attempt is not the endpoint's fault
        failures = append(failures, new ExhaustedAttempts.FailedAttempt(endpoint, failure));
      }
      switch (FailurePolicy.nextStep(failure.kind())) {
        case NEXT_CANDIDATE -> {
          // the next candidate may do better
        }
        case NEXT_MODEL -> refusingCandidates = append(refusingCandidates, candidate);
        case STOP -> stopped = true;
      }
    }

    /** Returns the outcome when no candidate is left, or the request was cancelled. */
    Outcome exhausted() {
      Cancellation.Cause cause = attemptParameters.cancellation().cause();
      if (cause != null) {
        return new Outcome.Exhausted(cancellationError(cause), !cause.isTimeout(), trace);
      }
      return new Outcome.Exhausted(exhaustionError(), false, trace);
    }

    private GatewayError cancellationError(Cancellation.Cause cause) {
      return switch (cause) {
        case TOTAL, FIRST_CONTENT, GAP ->
            ExhaustedAttempts.withPrevious(GatewayError.of(ErrorCode.TIMEOUT), failures);
        case SHUTDOWN -> GatewayEnding.SHUTDOWN;
        case CALLER_GONE -> GatewayEnding.CALLER_GONE;
        case CLOSED -> GatewayError.of(ErrorCode.UNAVAILABLE);
      };
    }

    private GatewayError exhaustionError() {
      if (failures.isEmpty() && !fullEndpoints.isEmpty()) {
        return limiter.refusal(fullEndpoints);
      }
      if (failures.isEmpty() && !coolingDownCandidates.isEmpty()) {
        return ExhaustedAttempts.cooldownError(
            coolingDownCandidates, catalogHealth.published(), ambient.now());
      }
      boolean forbidsFallbacks = !attemptParameters.request().preferences().allowFallbacks();
      return forbidsFallbacks
          ? ExhaustedAttempts.ownError(failures)
          : ExhaustedAttempts.error(failures);
    }
  }
}
