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
  private static final LogLinearBuckets MICROS_TO_FIRST_TOKEN =
      new LogLinearBuckets(10); // 1 ms to 268 s
  private static final LogLinearBuckets MICRO_TOKENS_PER_SECOND =
      new LogLinearBuckets(17); // 0.13 to 34,000
  private static final int FIVE_MINUTES = 5; // in slots of the half hour
  private static final long SHORTEST_NANOS = 1_000_000;

  private static final int HALF_HOUR_SLOTS = 30; // of one minute each

  /** Maximum of {@link #bytes()}. */
  static final int MAX_BYTES = 2 * RollingSpeeds.MAX_BYTES + 4_000;

  final Breaker breaker;
  final CredentialCooldown coolDown =
      new CredentialCooldown(); // of the gateway's credential at this endpoint

  private final HealthPolicy policy;
  private final Speeds latency = new Speeds(MICROS_TO_FIRST_TOKEN, false);
  private final Speeds throughput = new Speeds(MICRO_TOKENS_PER_SECOND, true);
  private final Outcomes halfHour = new Outcomes(Duration.ofMinutes(30), HALF_HOUR_SLOTS);
  private final Outcomes day = new Outcomes(Duration.ofDays(1), 96);
  private final Outcomes tools = new Outcomes(Duration.ofHours(2), 24);

  private volatile boolean changed = true;
  private EndpointStatistics latest = EndpointStatistics.NONE; // used by the publisher only
  private long nextChange = Long.MAX_VALUE; // used by the publisher only

  /**
   * The speeds of the last five minutes, used for decisions, and of the last half hour, shown to
   * people.
   */
  private static final class Speeds {
    private final RollingSpeeds lately;
    private final RollingSpeeds halfHour;

    Speeds(LogLinearBuckets scale, boolean lowerTail) {
      lately = RollingSpeeds.ofFiveMinutes(scale, lowerTail);
      halfHour = RollingSpeeds.ofHalfAnHour(scale, lowerTail);
    }

    void record(long nanos, long value) {
      lately.record(nanos, value);
      halfHour.record(nanos, value);
    }

    RollingSpeeds.Measured measured(long nanos) {
      halfHour.dropExpired(nanos);
      return lately.measured(nanos);
    }

    int bytes() {
      return lately.bytes() + halfHour.bytes();
    }
  }

  /** Counts the successful and the failed requests of one period. */
  private static final class Outcomes {
    private final RollingCount ok;
    private final RollingCount failed;

    Outcomes(Duration span, int slots) {
      ok = new RollingCount(span, slots);
      failed = new RollingCount(span, slots);
    }

    void add(boolean good, long nanos) {
      (good ? ok : failed).add(nanos);
    }

    long nextChange(long nanos) {
      return ok.sum(nanos) + failed.sum(nanos) == 0 ? Long.MAX_VALUE : ok.nextChange(nanos);
    }

    int bytes() {
      return ok.bytes() + failed.bytes();
    }
  }

  EndpointHealth(HealthPolicy policy) {
    this.policy = policy;
    this.breaker = new Breaker(policy);
  }

  void firstContent(long sinceDispatchNanos, long now) {
    latency.record(now, Math.max(0, sinceDispatchNanos) / 1_000);
    changed();
  }

  /**
   * Records the throughput of a streamed answer.
   *
   * @param streamedNanos nanoseconds from first content to the end; below 1 ms nothing is recorded
   */
  void streamed(long outputTokens, long streamedNanos, long now) {
    if (outputTokens > 0 && streamedNanos >= SHORTEST_NANOS) {
      throughput.record(now, (long) (outputTokens * 1e15 / streamedNanos));
    }
  }

  void calledTools(boolean bad, long now) {
    tools.add(!bad, now);
  }

  void outcome(boolean good, long now) {
    halfHour.add(good, now);
    day.add(good, now);
    changed();
  }

  void changed() {
    if (!changed) { // avoids a contended write at a busy endpoint
      changed = true;
    }
  }

  /** Returns the statistics to publish; the same object as before when nothing changed. */
  EndpointStatistics nextStatistics(Moment now) {
    if (!changed && now.nanos() < nextChange) {
      return latest;
    }
    // cleared first, so that no later record is missed: it is read now, next time, or both
    changed = false;
    EndpointStatistics made = measure(now);
    if (!made.equals(latest)) {
      latest = made;
    }
    return latest;
  }

  /** Returns the last result of {@link #nextStatistics}. */
  EndpointStatistics latest() {
    return latest;
  }

  /** Returns how fast the endpoint was in the last half hour. Thread-safe. */
  HalfHourSpeeds halfHour(long at) {
    return new HalfHourSpeeds(
        latency.halfHour.measured(at).percentiles(),
        throughput.halfHour.measured(at).percentiles());
  }

  /**
   * Returns when the passing of time next changes the statistics, in the time of {@link
   * HealthClock#nanos()}.
   */
  long nextChange() {
    return nextChange;
  }

  private EndpointStatistics measure(Moment now) {
    long at = now.nanos();
    var into = EndpointStatistics.builder();
    long change = speeds(into, at);
    change = Math.min(change, counts(into, at));
    change = Math.min(change, circuit(into, now));
    Moment cooling = coolDown.after(at);
    if (cooling != null) {
      into.notBefore(Math.max(cooling.millis(), openUntilMillis(now)));
      change = Math.min(change, cooling.nanos());
    }
    nextChange = change;
    return into.build();
  }

  private long speeds(EndpointStatistics.Builder into, long at) {
    RollingSpeeds.Measured latencies = latency.measured(at);
    RollingSpeeds.Measured throughputs = throughput.measured(at);
    long[] micros = latencies.percentiles();
    if (micros != null) {
      into.samples(latencies.samples()).latencyMicros(micros);
    }
    long[] rates = throughputs.percentiles();
    if (rates != null) {
      into.throughputMicros(rates);
    }
    into.throughputSamples(throughputs.samples());
    return micros == null && rates == null ? Long.MAX_VALUE : latency.lately.nextChange(at);
  }

  private long counts(EndpointStatistics.Builder into, long at) {
    long failed = halfHour.failed.sum(at);
    long all = failed + halfHour.ok.sum(at);
    long lately = halfHour.failed.sum(at, FIVE_MINUTES);
    long today = day.failed.sum(at);
    into.failures(lately, failed, today);
    into.requests(lately + halfHour.ok.sum(at, FIVE_MINUTES), all, today + day.ok.sum(at));
    int since = slotsSinceRecovery(at);
    long countedFailed = halfHour.failed.sum(at, since);
    into.uptime(uptime(countedFailed + halfHour.ok.sum(at, since), countedFailed));
    long bad = tools.failed.sum(at);
    into.toolRequests(bad + tools.ok.sum(at)).toolErrors(bad);
    return Math.min(halfHour.nextChange(at), Math.min(day.nextChange(at), tools.nextChange(at)));
  }

  /**
   * Returns the slots that count for the uptime. Failures before the last recovery do not count,
   * since the endpoint would otherwise get no requests for half an hour.
   *
   * @return the number of minutes since the recovery, without the minute of the recovery itself;
   *     all slots if the breaker never opened
   */
  private int slotsSinceRecovery(long at) {
    return breaker.state() instanceof Breaker.Closed closed && closed.recovered() != null
        ? halfHour.ok.slotsSince(closed.recovered().nanos(), at)
        : HALF_HOUR_SLOTS;
  }

  private Uptime uptime(long all, long failed) {
    HealthPolicy.Uptime lines = policy.uptime();
    long share = 100 * (all - failed);
    if (all < lines.requests() || share >= lines.normalPercent() * all) {
      return Uptime.NORMAL;
    }
    return share >= lines.downPercent() * all ? Uptime.DEGRADED : Uptime.DOWN;
  }

  private long circuit(EndpointStatistics.Builder into, Moment now) {
    return switch (breaker.state()) {
      case Breaker.Closed closed -> closed(closed, into, now.nanos());
      case Breaker.Open open -> {
        into.broken(true).outage(true).notBefore(openUntilMillis(open, now));
        long until = open.until().nanos();
        yield until > now.nanos() ? until : Long.MAX_VALUE;
      }
      case Breaker.Probe probe -> {
        into.broken(true).outage(true).probing(true).notBefore(openUntilMillis(probe.open(), now));
        yield Long.MAX_VALUE;
      }
    };
  }

  /**
   * Returns when the first probe may pass, in epoch milliseconds. Once that time has passed, the
   * result is never after now, even if the wall clock was set back.
   */
  private static long openUntilMillis(Breaker.Open open, Moment now) {
    long told = open.until().millis();
    return now.nanos() < open.until().nanos() ? told : Math.min(told, now.millis());
  }

  private long closed(Breaker.Closed closed, EndpointStatistics.Builder into, long at) {
    into.outage(closed.window().isBad(at, policy.outage().failures()));
    long change = closed.window().hasFailures(at) ? closed.window().nextChange(at) : Long.MAX_VALUE;
    Moment recovered = closed.recovered();
    if (recovered != null) {
      long settled = recovered.nanos() + policy.breaker().slowStart().toNanos();
      if (at < settled) {
        into.recovered(recovered.millis());
        change = Math.min(change, settled);
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
  boolean isForgotten(long at) {
    return day.nextChange(at) == Long.MAX_VALUE
        && tools.nextChange(at) == Long.MAX_VALUE
        && breaker.state() instanceof Breaker.Closed
        && coolDown.after(at) == null;
  }

  /**
   * Returns the approximate heap size in bytes: the arrays, and a constant for the other objects.
   */
  int bytes() {
    int window = 2 * (16 + 31 * Long.BYTES);
    int objects = 500;
    return latency.bytes()
        + throughput.bytes()
        + halfHour.bytes()
        + day.bytes()
        + tools.bytes()
        + window
        + objects;
  }
}
