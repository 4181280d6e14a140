package io.strowger.core.pipeline;

import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.attempt.UpstreamResolver;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.authentication.Caller;
import io.strowger.core.guardrail.ContentFilter;
import io.strowger.core.health.Statistics;
import io.strowger.core.inference.RequestDecoding;
import io.strowger.core.inference.TokenCounts;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.meter.PromptEstimate;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.tools.OfferedTools;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.ModelRef;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the first candidate for an answer count the prompt's tokens. Estimates them when that
 * candidate cannot count, does not answer within the time for first content, or returns an
 * implausible count.
 *
 * <p>An upstream receives nothing that it would not receive for an answer: filters apply, and a
 * request that plugins or gateway tools would change first is estimated and not sent at all. A
 * count takes a place at the endpoint, as a request does, and does not affect the endpoint's
 * health.
 */
public final class EngineTokenCounts implements TokenCounts {
  private static final Logger log = LoggerFactory.getLogger(EngineTokenCounts.class);

  /** More tokens than any context has. */
  private static final long MAX_TOKENS = 1_000_000_000;

  private final Engine engine;

  public EngineTokenCounts(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Count count(
      Caller caller,
      InferenceRequest request,
      @Nullable RequestDecoding decoding,
      Cancellation cancellation) {
    while (true) {
      Snapshot snapshot = engine.requireSnapshot();
      Cancellation.Child child = cancellation.child();
      Cancellation childCancellation = child.cancellation();
      var watch =
          new Watchdog.Watch(
              engine.watchdog(),
              childCancellation,
              engine.ambient().nanoTime() + snapshot.deadlines().total().toNanos(),
              snapshot,
              () -> childCancellation.cancel(Cancellation.Cause.SHUTDOWN));
      engine.watchdog().add(watch);
      try {
        if (engine.current().get() == snapshot) { // otherwise the snapshot may be closed
          return new CountTask(snapshot, caller, watch, childCancellation)
              .of(decode(request, decoding, snapshot));
        }
      } finally {
        watch.end();
        child.link().close();
      }
    }
  }

  /** Decodes a request again when the current plugins are not those it was decoded with. */
  private static InferenceRequest decode(
      InferenceRequest request, @Nullable RequestDecoding decoding, Snapshot snapshot) {
    return decoding == null || decoding.plugins() == snapshot.pluginRegistry()
        ? request
        : decoding.decoder().apply(snapshot.pluginRegistry());
  }

  /** One count under way. */
  private final class CountTask {
    private final Snapshot snapshot;
    private final Caller caller;
    private final Watchdog.Watch watch;
    private final Cancellation cancellation;

    CountTask(Snapshot snapshot, Caller caller, Watchdog.Watch watch, Cancellation cancellation) {
      this.snapshot = snapshot;
      this.caller = caller;
      this.watch = watch;
      this.cancellation = cancellation;
    }

    Count of(InferenceRequest original) {
      if (models(original).isEmpty()) {
        throw RoutingQueryFactory.NO_MODEL.toException();
      }
      InferenceRequest request = applyFilter(original);
      if (request == null) {
        return estimate(original);
      }
      PlannedAttempt candidate = firstCandidate(request);
      OptionalLong count =
          candidate == null || isChangedByGateway(request)
              ? OptionalLong.empty()
              : countUpstream(candidate, request);
      return count.isPresent() ? new Count(count.getAsLong(), true) : estimate(request);
    }

    private Count estimate(InferenceRequest request) {
      return new Count(PromptEstimate.tokens(request), false);
    }

    private List<ModelRef> models(InferenceRequest request) {
      return RoutingQueryFactory.models(request, snapshot.accountPolicy(), caller);
    }

    /** Returns the filtered request; null when it was cancelled meanwhile. */
    private @Nullable InferenceRequest applyFilter(InferenceRequest request) {
      ContentFilter filter = snapshot.accountPolicy().rules().filter(caller);
      if (filter == null) {
        return request;
      }
      ContentFilter.Filtered filtered = filter.apply(request, cancellation);
      if (filtered == null) {
        return null;
      }
      GatewayError refusal = filtered.refusal();
      if (refusal != null) {
        throw refusal.toException();
      }
      return filtered.request();
    }

    /** Returns whether plugins or gateway tools would change what is sent for an answer. */
    private boolean isChangedByGateway(InferenceRequest request) {
      return !OfferedTools.of(request, snapshot.plugins()::tool).isEmpty()
          || !snapshot.plugins().interceptors(request).isEmpty();
    }

    /** Returns the first candidate; null when there is none though the model exists. */
    private @Nullable PlannedAttempt firstCandidate(InferenceRequest request) {
      Statistics statistics = snapshot.health().published();
      return switch (snapshot.planner().plan(query(request, statistics), statistics)) {
        case RoutePlan.Attempts attempts -> attempts.candidates().getFirst();
        case RoutePlan.NoRoute noRoute -> {
          if (noRoute.error().code() == ErrorCode.MODEL_NOT_FOUND) {
            throw noRoute.error().toException();
          }
          yield null;
        }
      };
    }

    private RoutingQuery query(InferenceRequest request, Statistics statistics) {
      Instant now = engine.ambient().now();
      Ledger.AvailableAmounts available = engine.ledger().available(caller.payers(), now);
      List<ModelRef> models = models(request);
      return RoutingQueryFactory.of(request, models, PromptSize.of(request), snapshot, caller)
          .stickyEndpoints(
              engine.stickiness().conversation(caller.owner(), request).endpoints(models))
          .statisticsSequence(statistics.sequence())
          .budget(remaining(available.credits()))
          .budgetWithByok(remaining(available.withByok()))
          .at(now)
          .seed(engine.ambient().seed())
          .build();
    }

    private static @Nullable Usd remaining(Ledger.@Nullable TightestBudget budget) {
      return budget == null ? null : budget.remaining();
    }

    private OptionalLong countUpstream(PlannedAttempt candidate, InferenceRequest request) {
      Endpoint endpoint = candidate.endpoint();
      UpstreamResolver.Upstream upstream =
          snapshot.upstreams().resolve(endpoint.provider().slug(), candidate.byokKey());
      EndpointLimiter.Slot slot =
          upstream == null
              ? null
              : engine.endpointLimiter().tryAcquire(endpoint.id(), candidate.byokKey());
      if (upstream == null || slot == null) {
        return OptionalLong.empty();
      }
      try {
        watch.setAttempt(watchedAttempt());
        OptionalLong count = upstream.adapter().countTokens(call(endpoint, upstream, request));
        boolean isPlausible = count.isPresent() && isPlausible(count.getAsLong());
        return isPlausible ? count : OptionalLong.empty();
      } catch (UpstreamException e) {
        return OptionalLong.empty(); // a failed count does not affect health
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
        log.error(
            "the adapter of {} failed to count tokens; the count is estimated", endpoint, bug);
        return OptionalLong.empty();
      } finally {
        slot.release();
      }
    }

    private static boolean isPlausible(long tokens) {
      return tokens > 0 && tokens <= MAX_TOKENS;
    }

    private Watchdog.Attempt watchedAttempt() {
      Ambient ambient = engine.ambient();
      return new Watchdog.Attempt(
          cancellation,
          ambient.nanoTime() + snapshot.deadlines().firstContent().toNanos(),
          snapshot.deadlines().gap().toNanos());
    }

    private Call call(
        Endpoint endpoint, UpstreamResolver.Upstream upstream, InferenceRequest request) {
      return new Call(
          endpoint,
          upstream.credential(),
          GatewayMembers.removeFrom(request, null),
          0,
          null,
          snapshot.deadlines().socketReadTimeout(),
          snapshot.catalog().models().get(endpoint.modelOrdinal()).reasoning(),
          loss -> {}, // there is no answer to report a loss with
          cancellation);
    }
  }
}
