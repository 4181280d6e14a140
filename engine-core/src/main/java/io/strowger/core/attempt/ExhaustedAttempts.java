package io.strowger.core.attempt;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Availability;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The error a caller receives when every attempt failed: the failure itself when there was one, a
 * summary otherwise. Contract: "Errors"; availability and previous errors are chat fact sheet
 * section 9, routing fact sheet section 11.
 */
final class ExhaustedAttempts {
  private ExhaustedAttempts() {}

  /** An attempt and its failure. */
  record Attempted(Endpoint endpoint, Failure failure) {
    /** Returns whether a later try may succeed. */
    boolean mayPass() {
      return switch (failure.kind()) {
        case RATE_LIMITED, OVERLOADED, UNAVAILABLE, TIMEOUT, PROTOCOL -> true;
        case CREDENTIAL,
            QUOTA,
            NOT_FOUND,
            INVALID_REQUEST,
            CONTEXT_LENGTH,
            CONTENT_POLICY,
            CANCELLED ->
            false;
      };
    }
  }

  /** Returns a summary of all failures, for a request that allows fallbacks. */
  static GatewayError error(List<Attempted> attempts) {
    if (attempts.isEmpty()) {
      return GatewayError.of(ErrorCode.UNAVAILABLE);
    }
    Attempted last = attempts.get(attempts.size() - 1);
    if (FailurePolicy.after(last.failure().kind()) == FailurePolicy.Next.NEXT_MODEL) {
      return withPrevious(last.failure().toError(), attempts.subList(0, attempts.size() - 1));
    }
    if (all(attempts, FailureKind.RATE_LIMITED)) {
      return available(ErrorCode.CAPACITY_EXHAUSTED, attempts);
    }
    if (all(attempts, FailureKind.NOT_FOUND)) {
      return available(ErrorCode.MODEL_UNAVAILABLE_UPSTREAM, attempts);
    }
    if (attempts.size() == 1 || attempts.stream().noneMatch(Attempted::mayPass)) {
      return ownError(attempts);
    }
    return available(ErrorCode.TEMPORARILY_UNAVAILABLE, attempts);
  }

  /** Returns the last upstream's own error, with the errors before it in its metadata. */
  static GatewayError ownError(List<Attempted> attempts) {
    if (attempts.isEmpty()) {
      return GatewayError.of(ErrorCode.UNAVAILABLE);
    }
    Attempted last = attempts.get(attempts.size() - 1);
    GatewayError own = withPrevious(describe(last), attempts.subList(0, attempts.size() - 1));
    long soonest = soonest(attempts);
    return soonest >= 0 && last.mayPass() ? own.withRetryAfter(soonest) : own;
  }

  /**
   * Returns the error when no candidate was tried, since health closed each after planning.
   *
   * @param closed the closed candidates; at least one
   * @param now the current statistics of the endpoints
   */
  static GatewayError cooling(List<PlannedAttempt> closed, Statistics now, Instant at) {
    long earliest = Long.MAX_VALUE;
    boolean onlyLimited = true;
    var models = new LinkedHashSet<ModelRef>();
    var providers = new TreeSet<String>();
    for (PlannedAttempt candidate : closed) {
      String key = candidate.byokKey();
      EndpointStatistics endpoint = now.of(candidate.endpoint());
      long back = key == null ? endpoint.closedUntilMillis() : now.keyNotBefore(key);
      earliest = Math.min(earliest, back);
      onlyLimited &= !endpoint.isBreakerOpen();
      models.add(ModelRef.parse(candidate.endpoint().model()));
      providers.add(candidate.endpoint().provider().slug());
    }
    // a probe in progress will have ended in a moment, so at least one second
    long seconds = Math.max(1, Math.ceilDiv(earliest - at.toEpochMilli(), 1000L));
    ErrorCode code = onlyLimited ? ErrorCode.CAPACITY_EXHAUSTED : ErrorCode.TEMPORARILY_UNAVAILABLE;
    return available(code, models, providers, seconds);
  }

  /** Returns the upstream's own error with the provider's name and its status. */
  private static GatewayError describe(Attempted only) {
    GatewayError error = only.failure().toError();
    error = error.withMetadata("provider_name", Json.of(only.endpoint().provider().name()));
    return only.failure().status() == 0
        ? error
        : error.withMetadata("provider_code", Json.of(only.failure().status()));
  }

  static GatewayError withPrevious(GatewayError error, List<Attempted> attempts) {
    if (attempts.isEmpty()) {
      return error;
    }
    var previous = new ArrayList<Json>();
    for (Attempted attempt : attempts) {
      previous.add(
          Json.object()
              .put("provider", attempt.endpoint().provider().name())
              .put("code", attempt.failure().kind().name().toLowerCase(Locale.ROOT))
              .put("status", attempt.failure().status())
              .build());
    }
    return error.withMetadata("previous_errors", Json.array(previous));
  }

  private static GatewayError available(ErrorCode code, List<Attempted> attempts) {
    var models = new LinkedHashSet<ModelRef>();
    var providers = new TreeSet<String>();
    for (Attempted attempt : attempts) {
      models.add(ModelRef.parse(attempt.endpoint().model()));
      providers.add(attempt.endpoint().provider().slug());
    }
    return withPrevious(available(code, models, providers, soonest(attempts)), attempts);
  }

  /**
   * Returns an error with metadata on the availability of models and providers.
   *
   * @param retryAfter the seconds to wait; -1 when no upstream stated a time
   */
  private static GatewayError available(
      ErrorCode code, Set<ModelRef> models, Set<String> providers, long retryAfter) {
    Json.Obj availability =
        Availability.of(code, List.copyOf(models))
            .with("affected_providers", Json.array(providers.stream().map(Json::of).toList()));
    if (retryAfter < 0) {
      return GatewayError.of(code).withAvailability(availability);
    }
    return GatewayError.of(code)
        .withAvailability(availability.with("retry_after", Json.of(retryAfter)))
        .withRetryAfter(retryAfter);
  }

  /** Returns the shortest wait that an upstream asked for, in seconds; -1 when none did. */
  private static long soonest(List<Attempted> attempts) {
    long soonest = -1;
    for (Attempted attempt : attempts) {
      long hint = attempt.failure().retryAfterSeconds();
      soonest = hint < 0 ? soonest : soonest < 0 ? hint : Math.min(soonest, hint);
    }
    return soonest;
  }

  private static boolean all(List<Attempted> attempts, FailureKind kind) {
    return attempts.stream().allMatch(attempt -> attempt.failure().kind() == kind);
  }
}
