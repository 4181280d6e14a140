package io.strowger.core.health;

import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.core.health.HealthClock.Moment;
import java.time.Duration;

/**
 * What one endpoint was seen doing: written by every request that goes there, without a lock; read
 * by whoever publishes, one at a time. Kept by id, whatever becomes of the catalog.
 */
final class EndpointHealth {
  private static final LogLinearBuckets MICROS_TO_FIRST_TOKEN =
      new LogLinearBuckets(10); // 1 ms to 268 s
  private static final LogLinearBuckets MICRO_TOKENS_PER_SECOND =
      new LogLinearBuckets(17); // 0.13 to 34,000
  private static final int FIVE_MINUTES = 5; // slots of the half hour
  private static final long SHORTEST_NANOS = 1_000_000;

  private static final int HALF_HOUR_SLOTS = 30; // of a minute

  /** What {@link #bytes()} is at most. */
  static final int MAX_BYTES = 2 * RollingSpeeds.MAX_BYTES + 4_000;

  final Breaker breaker;
  final CredentialCooldown coolDown =
      new CredentialCooldown(); // of the gateway's own credential, here

  private final HealthPolicy policy;
  private final Speeds latency = new Speeds(MICROS_TO_FIRST_TOKEN, false);
  private final Speeds throughput = new Speeds(MICRO_TOKENS_PER_SECOND, true);
  private final Outcomes halfHour = new Outcomes(Duration.ofMinutes(30), HALF_HOUR_SLOTS);
  private final Outcomes day = new Outcomes(Duration.ofDays(1), 96);
  private final Outcomes tools = new Outcomes(Duration.ofHours(2), 24);

  private volatile boolean changed = true;
  private EndpointStatistics latest = EndpointStatistics.NONE; // the publisher's
  private long nextChange = Long.MAX_VALUE; // the publisher's

  /** What decisions go by, and what is shown to people. */
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

  /** Good and bad ones of one span. */
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
   * @param streamedNanos from first content to the end; a rate over next to no time says nothing
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
    if (!changed) { // a busy endpoint need not write what is written
      changed = true;
    }
  }

  /** What is to be published; the last one made when nothing changed, not even by waiting. */
  EndpointStatistics nextStatistics(Moment now) {
    if (!changed && now.nanos() < nextChange) {
      return latest;
    }
    changed = false; // first: what is recorded from here on is read now, next time, or both
    EndpointStatistics made = measure(now);
    if (!made.equals(latest)) {
      latest = made;
    }
    return latest;
  }

  /** What {@link #nextStatistics} made last. */
  EndpointStatistics latest() {
    return latest;
  }

  /** How fast it was in the last half hour. Any thread. */
  HalfHourSpeeds halfHour(long at) {
    return new HalfHourSpeeds(
        latency.halfHour.measured(at).percentiles(),
        throughput.halfHour.measured(at).percentiles());
  }

  /** When time alone makes a difference. */
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
   * What failed before the breaker let the endpoint back was paid for then: judged by it once more,
   * the endpoint would get nothing for half an hour as soon as it had had requests enough.
   *
   * @return minutes since, the one of the recovery left out; all there are when it never broke
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

  /** Once it is over it is over for decisions, too, though somebody put the time of day back. */
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

  /** Nothing is known of it that could make a difference. */
  boolean isForgotten(long at) {
    return day.nextChange(at) == Long.MAX_VALUE
        && tools.nextChange(at) == Long.MAX_VALUE
        && breaker.state() instanceof Breaker.Closed
        && coolDown.after(at) == null;
  }

  /** About what it keeps on the heap: its arrays, and a constant for the objects around them. */
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
