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
 * The error a caller receives when every attempt failed: the upstream's own error, or a summary of
 * several. Contract: "Errors"; availability and previous errors are chat fact sheet section 9,
 * routing fact sheet section 11.
 */
final class ExhaustedAttempts {
  private ExhaustedAttempts() {}

  /** An attempt and its failure. */
  record FailedAttempt(Endpoint endpoint, Failure failure) {
    /** Returns whether a later try may succeed. */
    boolean isTransient() {
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

  /**
   * Returns the error for a request that allows fallbacks. It is a summary when all attempts were
   * rate-limited, when all found no model, or when several attempts failed and a retry may help;
   * otherwise it is the last upstream's own error.
   */
  static GatewayError error(List<FailedAttempt> attempts) {
    if (attempts.isEmpty()) {
      return GatewayError.of(ErrorCode.UNAVAILABLE);
    }
    FailedAttempt last = attempts.get(attempts.size() - 1);
    if (FailurePolicy.nextStep(last.failure().kind()) == FailurePolicy.NextStep.NEXT_MODEL) {
      return withPrevious(last.failure().toError(), attempts.subList(0, attempts.size() - 1));
    }
    if (allFailedWith(attempts, FailureKind.RATE_LIMITED)) {
      return errorWithAvailability(ErrorCode.CAPACITY_EXHAUSTED, attempts);
    }
    if (allFailedWith(attempts, FailureKind.NOT_FOUND)) {
      return errorWithAvailability(ErrorCode.MODEL_UNAVAILABLE_UPSTREAM, attempts);
    }
    if (attempts.size() == 1 || attempts.stream().noneMatch(FailedAttempt::isTransient)) {
      return ownError(attempts);
    }
    return errorWithAvailability(ErrorCode.TEMPORARILY_UNAVAILABLE, attempts);
  }

  /** Returns the last upstream's own error; its metadata has the errors of the attempts before. */
  static GatewayError ownError(List<FailedAttempt> attempts) {
    if (attempts.isEmpty()) {
      return GatewayError.of(ErrorCode.UNAVAILABLE);
    }
    FailedAttempt last = attempts.get(attempts.size() - 1);
    GatewayError error = withPrevious(describe(last), attempts.subList(0, attempts.size() - 1));
    long retryAfter = shortestRetryAfter(attempts);
    return retryAfter >= 0 && last.isTransient() ? error.withRetryAfter(retryAfter) : error;
  }

  /**
   * Returns the error when no candidate was tried, because each began to cool down after the plan
   * was made.
   *
   * @param coolingDown the candidates that were skipped because they are cooling down; at least one
   * @param statistics the current statistics of the endpoints
   */
  static GatewayError cooldownError(
      List<PlannedAttempt> coolingDown, Statistics statistics, Instant at) {
    long earliest = Long.MAX_VALUE;
    boolean onlyRateLimited = true;
    var models = new LinkedHashSet<ModelRef>();
    var providers = new TreeSet<String>();
    for (PlannedAttempt candidate : coolingDown) {
      String key = candidate.byokKey();
      EndpointStatistics endpoint = statistics.of(candidate.endpoint());
      long availableAt = endpoint.blockedUntilMillis();
      if (key != null) {
        long keyAvailableAt = statistics.keyBlockedUntilMillis(key);
        availableAt =
            endpoint.isBreakerOpen() ? Math.max(availableAt, keyAvailableAt) : keyAvailableAt;
      }
      earliest = Math.min(earliest, availableAt);
      onlyRateLimited &= !endpoint.isBreakerOpen();
      models.add(ModelRef.parse(candidate.endpoint().model()));
      providers.add(candidate.endpoint().provider().slug());
    }
    // the time is already past while a probe is in progress; then the caller waits one second
    long seconds = Math.max(1, Math.ceilDiv(earliest - at.toEpochMilli(), 1000L));
    ErrorCode code =
        onlyRateLimited ? ErrorCode.CAPACITY_EXHAUSTED : ErrorCode.TEMPORARILY_UNAVAILABLE;
    return errorWithAvailability(code, models, providers, seconds);
  }

  /** Returns the upstream's own error with the provider's name and its status. */
  private static GatewayError describe(FailedAttempt attempt) {
    GatewayError error = attempt.failure().toError();
    error = error.withMetadata("provider_name", Json.of(attempt.endpoint().provider().name()));
    return attempt.failure().status() == 0
        ? error
        : error.withMetadata("provider_code", Json.of(attempt.failure().status()));
  }

  static GatewayError withPrevious(GatewayError error, List<FailedAttempt> attempts) {
    if (attempts.isEmpty()) {
      return error;
    }
    var previous = new ArrayList<Json>();
    for (FailedAttempt attempt : attempts) {
      previous.add(
          Json.object()
              .put("provider", attempt.endpoint().provider().name())
              .put("code", attempt.failure().kind().name().toLowerCase(Locale.ROOT))
              .put("status", attempt.failure().status())
              .build());
    }
    return error.withMetadata("previous_errors", Json.array(previous));
  }

  private static GatewayError errorWithAvailability(ErrorCode code, List<FailedAttempt> attempts) {
    var models = new LinkedHashSet<ModelRef>();
    var providers = new TreeSet<String>();
    for (FailedAttempt attempt : attempts) {
      models.add(ModelRef.parse(attempt.endpoint().model()));
      providers.add(attempt.endpoint().provider().slug());
    }
    return withPrevious(
        errorWithAvailability(code, models, providers, shortestRetryAfter(attempts)), attempts);
  }

  /**
   * Returns an error with metadata on the availability of models and providers.
   *
   * @param retryAfter the seconds to wait; -1 when no upstream stated a time
   */
  private static GatewayError errorWithAvailability(
      ErrorCode code, Set<ModelRef> models, Set<String> providers, long retryAfter) {
    Json.Obj availability =
        Availability.of(code, List.copyOf(models))
            .with("affected_providers", Json.strings(providers));
    if (retryAfter < 0) {
      return GatewayError.of(code).withAvailability(availability);
    }
    return GatewayError.of(code)
        .withAvailability(availability.with("retry_after", Json.of(retryAfter)))
        .withRetryAfter(retryAfter);
  }

  /** Returns the shortest wait that an upstream asked for, in seconds; -1 when none did. */
  private static long shortestRetryAfter(List<FailedAttempt> attempts) {
    long shortest = -1;
    for (FailedAttempt attempt : attempts) {
      long hint = attempt.failure().retryAfterSeconds();
      shortest = hint < 0 ? shortest : shortest < 0 ? hint : Math.min(shortest, hint);
    }
    return shortest;
  }

  private static boolean allFailedWith(List<FailedAttempt> attempts, FailureKind kind) {
    return attempts.stream().allMatch(attempt -> attempt.failure().kind() == kind);
  }
}
