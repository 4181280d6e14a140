package io.strowger.core.health;

import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.core.health.HealthClock.Moment;
import java.time.Duration;

/**
 * The observations of one endpoint: written without a lock by every request to the endpoint, and
 * read by the publisher, one thread at a time. Kept by the endpoint's id, independently of the
 * catalog.
 */
final class EndpointHealth {
  private static final LogLinearBuckets FIRST_TOKEN_MICROS_BUCKETS =
      new LogLinearBuckets(10); // 1 ms to 268 s
  private static final LogLinearBuckets MICRO_TOKENS_PER_SECOND_BUCKETS =
      new LogLinearBuckets(17); // 0.13 to 34,000
  private static final int FIVE_MINUTE_SLOTS = 5; // in slots of the half hour
  private static final long MIN_STREAM_NANOS = 1_000_000;

  private static final int HALF_HOUR_SLOTS = 30; // of one minute each

  /** Maximum of {@link #bytes()}. */
  static final int MAX_BYTES = 2 * RollingSpeeds.MAX_BYTES + 4_000;

  final Breaker breaker;
  final CredentialCooldown coolDown =
      new CredentialCooldown(); // of the gateway's credential at this endpoint

  private final HealthPolicy policy;
  private final Speeds latency = new Speeds(FIRST_TOKEN_MICROS_BUCKETS, false);
  private final Speeds throughput = new Speeds(MICRO_TOKENS_PER_SECOND_BUCKETS, true);
  private final Outcomes halfHour = new Outcomes(Duration.ofMinutes(30), HALF_HOUR_SLOTS);
  private final Outcomes day = new Outcomes(Duration.ofDays(1), 96);
  private final Outcomes tools = new Outcomes(Duration.ofHours(2), 24);

  private volatile boolean isChanged = true;
  private EndpointStatistics latest = EndpointStatistics.NONE; // used by the publisher only
  private long nextChange = Long.MAX_VALUE; // used by the publisher only

  /**
   * The speeds of the last five minutes, used for decisions, and of the last half hour, shown to
   * people.
   */
  private static final class Speeds {
    private final RollingSpeeds fiveMinutes;
    private final RollingSpeeds halfHour;

    Speeds(LogLinearBuckets scale, boolean lowIsSlow) {
      fiveMinutes = RollingSpeeds.ofFiveMinutes(scale, lowIsSlow);
      halfHour = RollingSpeeds.ofHalfAnHour(scale, lowIsSlow);
    }

    void record(long nanos, long value) {
      fiveMinutes.record(nanos, value);
      halfHour.record(nanos, value);
    }

    RollingSpeeds.Measurement measure(long nanos) {
      halfHour.dropExpired(nanos);
      return fiveMinutes.measure(nanos);
    }

    int bytes() {
      return fiveMinutes.bytes() + halfHour.bytes();
    }
  }

  /** Counts the successful and the failed requests of one period. */
  private static final class Outcomes {
    private final RollingCount successes;
    private final RollingCount failures;

    Outcomes(Duration span, int slots) {
      successes = new RollingCount(span, slots);
      failures = new RollingCount(span, slots);
    }

    void add(boolean isSuccess, long nanos) {
      (isSuccess ? successes : failures).add(nanos);
    }

    long nextChange(long nanos) {
      return successes.sum(nanos) + failures.sum(nanos) == 0
          ? Long.MAX_VALUE
          : successes.nextChange(nanos);
    }

    int bytes() {
      return successes.bytes() + failures.bytes();
    }
  }

  EndpointHealth(HealthPolicy policy) {
    this.policy = policy;
    this.breaker = new Breaker(policy);
  }

  void recordFirstContent(long sinceDispatchNanos, long now) {
    latency.record(now, Math.max(0, sinceDispatchNanos) / 1_000);
    markChanged();
  }

  /**
   * Records the throughput of a streamed answer.
   *
   * @param streamedNanos nanoseconds from first content to the end; below 1 ms nothing is recorded
   */
  void recordThroughput(long outputTokens, long streamedNanos, long now) {
    if (outputTokens > 0 && streamedNanos >= MIN_STREAM_NANOS) {
      throughput.record(now, (long) (outputTokens * 1e15 / streamedNanos));
    }
  }

  void recordToolCalls(boolean hasBadCall, long now) {
    tools.add(!hasBadCall, now);
  }

  void recordOutcome(boolean isSuccess, long now) {
    halfHour.add(isSuccess, now);
    day.add(isSuccess, now);
    markChanged();
  }

  void markChanged() {
    if (!isChanged) { // avoids a contended write at a busy endpoint
      isChanged = true;
    }
  }

  /** Returns the statistics to publish; the same object as before when nothing changed. */
  EndpointStatistics nextStatistics(Moment now) {
    if (!isChanged && now.nanos() < nextChange) {
      return latest;
    }
    // cleared before measuring: a record made meanwhile is in this measurement, or sets the flag
    // again
    isChanged = false;
    EndpointStatistics measured = measure(now);
    if (!measured.equals(latest)) {
      latest = measured;
    }
    return latest;
  }

  /** Returns the last result of {@link #nextStatistics}. */
  EndpointStatistics latest() {
    return latest;
  }

  /** Returns how fast the endpoint was in the last half hour. Thread-safe. */
  HalfHourSpeeds halfHourSpeeds(long nanos) {
    return new HalfHourSpeeds(
        latency.halfHour.measure(nanos).percentiles(),
        throughput.halfHour.measure(nanos).percentiles());
  }

  /**
   * Returns when the passing of time next changes the statistics, in the time of {@link
   * HealthClock#nanos()}.
   */
  long nextChange() {
    return nextChange;
  }

  private EndpointStatistics measure(Moment now) {
    long nanos = now.nanos();
    var builder = EndpointStatistics.builder();
    long change = readSpeeds(builder, nanos);
    change = Math.min(change, readCounts(builder, nanos));
    change = Math.min(change, readCircuit(builder, now));
    Moment cooldownEnd = coolDown.deadlineAfter(nanos);
    if (cooldownEnd != null) {
      builder.blockedUntilMillis(Math.max(cooldownEnd.millis(), openUntilMillis(now)));
      change = Math.min(change, cooldownEnd.nanos());
    }
    nextChange = change;
    return builder.build();
  }

  private long readSpeeds(EndpointStatistics.Builder builder, long nanos) {
    RollingSpeeds.Measurement latencies = latency.measure(nanos);
    RollingSpeeds.Measurement throughputs = throughput.measure(nanos);
    long[] micros = latencies.percentiles();
    if (micros != null) {
      builder.samples(latencies.samples()).latencyMicros(micros);
    }
    long[] rates = throughputs.percentiles();
    if (rates != null) {
      builder.throughputMicroTokens(rates);
    }
    builder.throughputSamples(throughputs.samples());
    return micros == null && rates == null ? Long.MAX_VALUE : latency.fiveMinutes.nextChange(nanos);
  }

  private long readCounts(EndpointStatistics.Builder builder, long nanos) {
    long halfHourFailures = halfHour.failures.sum(nanos);
    long halfHourRequests = halfHourFailures + halfHour.successes.sum(nanos);
    long recentFailures = halfHour.failures.sum(nanos, FIVE_MINUTE_SLOTS);
    long dayFailures = day.failures.sum(nanos);
    builder.failures(recentFailures, halfHourFailures, dayFailures);
    builder.requests(
        recentFailures + halfHour.successes.sum(nanos, FIVE_MINUTE_SLOTS),
        halfHourRequests,
        dayFailures + day.successes.sum(nanos));
    int slots = slotsSinceRecovery(nanos);
    long failuresSinceRecovery = halfHour.failures.sum(nanos, slots);
    builder.uptime(
        uptime(
            failuresSinceRecovery + halfHour.successes.sum(nanos, slots), failuresSinceRecovery));
    long toolErrors = tools.failures.sum(nanos);
    builder.toolRequests(toolErrors + tools.successes.sum(nanos)).toolErrors(toolErrors);
    return Math.min(
        halfHour.nextChange(nanos), Math.min(day.nextChange(nanos), tools.nextChange(nanos)));
  }

  /**
   * Returns the slots that count for the uptime. Failures before the last recovery do not count,
   * since the endpoint would otherwise get no requests for half an hour.
   *
   * @return the number of minutes since the recovery, without the minute of the recovery itself;
   *     all slots if the breaker never opened
   */
  private int slotsSinceRecovery(long nanos) {
    return breaker.state() instanceof Breaker.Closed closed && closed.recovered() != null
        ? halfHour.successes.slotsSince(closed.recovered().nanos(), nanos)
        : HALF_HOUR_SLOTS;
  }

  private Uptime uptime(long requests, long failures) {
    HealthPolicy.Uptime thresholds = policy.uptime();
    long scaledSuccesses = 100 * (requests - failures);
    if (requests < thresholds.requests()
        || scaledSuccesses >= thresholds.normalPercent() * requests) {
      return Uptime.NORMAL;
    }
    return scaledSuccesses >= thresholds.downPercent() * requests ? Uptime.DEGRADED : Uptime.DOWN;
  }

  private long readCircuit(EndpointStatistics.Builder builder, Moment now) {
    return switch (breaker.state()) {
      case Breaker.Closed closed -> readClosed(closed, builder, now.nanos());
      case Breaker.Open open -> {
        builder.breakerOpen(true).outage(true).blockedUntilMillis(openUntilMillis(open, now));
        long until = open.until().nanos();
        yield until > now.nanos() ? until : Long.MAX_VALUE;
      }
      case Breaker.Probe probe -> {
        builder
            .breakerOpen(true)
            .outage(true)
            .probing(true)
            .blockedUntilMillis(openUntilMillis(probe.open(), now));
        yield Long.MAX_VALUE;
      }
    };
  }

  /**
   * Returns when the first probe may pass, in epoch milliseconds. Once that time has passed, the
   * result is never after now, even if the wall clock was set back.
   */
  private static long openUntilMillis(Breaker.Open open, Moment now) {
    long untilMillis = open.until().millis();
    return now.nanos() < open.until().nanos() ? untilMillis : Math.min(untilMillis, now.millis());
  }

  private long readClosed(Breaker.Closed closed, EndpointStatistics.Builder builder, long nanos) {
    builder.outage(closed.window().hasTooManyFailures(nanos, policy.outage().failures()));
    long change =
        closed.window().hasFailures(nanos) ? closed.window().nextChange(nanos) : Long.MAX_VALUE;
    Moment recovered = closed.recovered();
    if (recovered != null) {
      long slowStartEnd = recovered.nanos() + policy.breaker().slowStart().toNanos();
      if (nanos < slowStartEnd) {
        builder.recoveredAtMillis(recovered.millis());
        change = Math.min(change, slowStartEnd);
      }
    }
    return change;
  }

  private long openUntilMillis(Moment now) {
    return switch (breaker.state()) {
      case Breaker.Closed closed -> 0;
      case Breaker.Open open -> openUntilMillis(open, now);
      case Breaker.Probe probe -> openUntilMillis(probe.open(), now);
    };
  }

  /**
   * Returns whether the observations no longer affect any decision, so that they may be dropped.
   */
  boolean isForgettable(long nanos) {
    return day.nextChange(nanos) == Long.MAX_VALUE
        && tools.nextChange(nanos) == Long.MAX_VALUE
        && breaker.state() instanceof Breaker.Closed
        && coolDown.deadlineAfter(nanos) == null;
  }

  /**
   * Returns the approximate heap size in bytes: the arrays, and a constant for the other objects.
   */
  int bytes() {
    int breakerWindowBytes = 2 * (16 + 31 * Long.BYTES);
    int objectBytes = 500;
    return latency.bytes()
        + throughput.bytes()
        + halfHour.bytes()
        + day.bytes()
        + tools.bytes()
        + breakerWindowBytes
        + objectBytes;
  }
}
