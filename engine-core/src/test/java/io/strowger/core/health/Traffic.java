package io.strowger.core.health;

import io.strowger.core.plan.Planner;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Simulates steady traffic through the planner and the endpoints' health, one event after the
 * other, with upstreams whose behaviour the test sets. No thread runs and nothing waits.
 */
final class Traffic {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final int SECOND = 1000;
  private static final int PUBLISH_MILLIS = 250;

  /** How an upstream answers a request. */
  record Behaviour(
      int firstContentMillis, int restMillis, @Nullable FailureKind failure, int retryAfter) {
    static final Behaviour HEALTHY = new Behaviour(100, 900, null, -1);
    static final Behaviour HALF_SPEED = new Behaviour(200, 1800, null, -1);
    static final Behaviour DEAD = new Behaviour(20, 0, FailureKind.UNAVAILABLE, -1);

    static Behaviour limited(int retryAfterSeconds) {
      return new Behaviour(10, 0, FailureKind.RATE_LIMITED, retryAfterSeconds);
    }
  }

  /** An attempt that was sent. */
  record SentAttempt(long atMillis, String tag) {}

  private record ScheduledAction(long atMillis, long number, Runnable action)
      implements Comparable<ScheduledAction> {
    @Override
    public int compareTo(ScheduledAction other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final Catalog catalog;
  private final Planner planner;
  private final Health health;
  private final CatalogHealth catalogHealth;
  private final Map<String, Behaviour> behaviours = new HashMap<>();
  private final PriorityQueue<ScheduledAction> scheduled = new PriorityQueue<>();
  private final List<SentAttempt> sent = new ArrayList<>();
  private final List<Long> requests = new ArrayList<>();
  private final List<Long> failed = new ArrayList<>();
  private final UnaryOperator<RoutingQuery.Builder> preferences;
  private long now;
  private long lastNumber;

  /**
   * @param preferences adds to the query of each request what the test needs
   */
  Traffic(Catalog catalog, UnaryOperator<RoutingQuery.Builder> preferences) {
    this.catalog = catalog;
    this.preferences = preferences;
    this.planner = new Planner(catalog);
    this.health = new Health(new SimulatedAmbient(), HealthPolicy.STANDARD);
    this.catalogHealth = health.healthOf(catalog);
    every(PUBLISH_MILLIS, health::publishNow);
  }

  /** The simulated time; threads are never started. */
  private final class SimulatedAmbient implements Ambient {
    @Override
    public Instant now() {
      return START.plusMillis(now);
    }

    @Override
    public long nanoTime() {
      return Duration.ofMillis(now).toNanos();
    }

    @Override
    public long seed() {
      return ++lastNumber;
    }

    @Override
    public void sleep(Duration time) {
      throw new IllegalStateException("nothing waits here");
    }

    @Override
    public Thread start(String name, Runnable task) {
      return Thread.ofVirtual().name(name).unstarted(task);
    }

    @Override
    public Thread startService(String name, Runnable task) {
      return start(name, task);
    }
  }

  /** Sets how an upstream behaves from now on. */
  void setBehaviour(String tag, Behaviour behaviour) {
    behaviours.put(tag, behaviour);
  }

  /** Sends a request every {@code everyMillis} milliseconds until {@code untilSecond}. */
  void run(int everyMillis, int untilSecond) {
    for (long at = now; at < (long) untilSecond * SECOND; at += everyMillis) {
      schedule(at - now, this::request);
    }
    while (!scheduled.isEmpty() && scheduled.peek().atMillis() < (long) untilSecond * SECOND) {
      ScheduledAction due = scheduled.remove();
      now = due.atMillis();
      due.action().run();
    }
    now = (long) untilSecond * SECOND;
  }

  private void schedule(long millis, Runnable action) {
    scheduled.add(new ScheduledAction(now + millis, ++lastNumber, action));
  }

  private void every(int millis, Runnable action) {
    schedule(
        millis,
        () -> {
          action.run();
          every(millis, action);
        });
  }

  private void request() {
    requests.add(now);
    Statistics statistics = catalogHealth.published();
    RoutingQuery query =
        preferences
            .apply(RoutingQuery.builder(catalog.version()))
            .statisticsSequence(statistics.sequence())
            .at(START.plusMillis(now))
            .seed(++lastNumber * 0x9E3779B97F4A7C15L)
            .build();
    if (planner.plan(query, statistics) instanceof RoutePlan.Attempts attempts) {
      attempt(attempts.candidates(), 0);
    } else {
      failed.add(now);
    }
  }

  private void attempt(List<PlannedAttempt> candidates, int from) {
    for (int i = from; i < candidates.size(); i++) {
      TrackedAttempt trackedAttempt = catalogHealth.begin(candidates.get(i));
      if (trackedAttempt != null) {
        dispatch(trackedAttempt, candidates, i);
        return;
      }
    }
    failed.add(now);
  }

  private void dispatch(TrackedAttempt trackedAttempt, List<PlannedAttempt> candidates, int place) {
    Endpoint endpoint = candidates.get(place).endpoint();
    sent.add(new SentAttempt(now, endpoint.tag()));
    Behaviour behaviour = behaviours.getOrDefault(endpoint.tag(), Behaviour.HEALTHY);
    long first = Duration.ofMillis(behaviour.firstContentMillis()).toNanos();
    schedule(
        behaviour.firstContentMillis(),
        () -> {
          if (behaviour.failure() != null) {
            trackedAttempt.fail(
                new Failure(behaviour.failure(), 0, behaviour.retryAfter(), "simulated failure"));
            attempt(candidates, place + 1);
            return;
          }
          trackedAttempt.recordFirstContent(first);
          schedule(
              behaviour.restMillis(),
              () ->
                  trackedAttempt.complete(
                      100, Duration.ofMillis(behaviour.restMillis()).toNanos(), false, false));
        });
  }

  /** Returns the number of attempts per request in these seconds. */
  double amplification(int fromSecond, int toSecond) {
    return sentIn(fromSecond, toSecond).size() / (double) count(requests, fromSecond, toSecond);
  }

  /** Returns the share of the attempts in these seconds that went to an endpoint. */
  double share(String tag, int fromSecond, int toSecond) {
    List<SentAttempt> all = sentIn(fromSecond, toSecond);
    return all.stream().filter(one -> one.tag().equals(tag)).count() / (double) all.size();
  }

  /** Returns the number of requests in these seconds that no endpoint answered. */
  long failedRequests(int fromSecond, int toSecond) {
    return count(failed, fromSecond, toSecond);
  }

  long sentTo(String tag, int fromSecond, int toSecond) {
    return sentIn(fromSecond, toSecond).stream().filter(one -> one.tag().equals(tag)).count();
  }

  private List<SentAttempt> sentIn(int fromSecond, int toSecond) {
    return sent.stream()
        .filter(one -> one.atMillis() >= fromSecond * (long) SECOND)
        .filter(one -> one.atMillis() < toSecond * (long) SECOND)
        .toList();
  }

  private static long count(List<Long> moments, int fromSecond, int toSecond) {
    return moments.stream()
        .filter(at -> at >= fromSecond * (long) SECOND && at < toSecond * (long) SECOND)
        .count();
  }
}
