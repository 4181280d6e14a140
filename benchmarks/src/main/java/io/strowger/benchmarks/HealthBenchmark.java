package io.strowger.benchmarks;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.health.CatalogHealth;
import io.strowger.core.health.Health;
import io.strowger.core.health.HealthPolicy;
import io.strowger.core.health.TrackedAttempt;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the measurement of an endpoint's health cost a request: asking the breaker, reporting
 * the first content and the end? The result is nanoseconds and bytes per attempt that succeeds, on
 * the system's clock, while statistics are published four times a second.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HealthBenchmark {
  /** The gateway's health, shared by all threads. */
  @State(Scope.Benchmark)
  public static class Shared {
    final Catalog catalog = LargeCatalog.withRequestedModelEndpoints(5);
    final PlannedAttempt[] candidates =
        catalog.endpoints().stream().map(PlannedAttempt::of).toArray(PlannedAttempt[]::new);
    final PlannedAttempt busyCandidate = candidates[candidates.length / 2];
    final Health health = new Health(new SystemAmbient(), HealthPolicy.STANDARD);
    final CatalogHealth catalogHealth = health.healthOf(catalog);

    @TearDown
    public void close() {
      health.close();
    }
  }

  /** The position of a thread among the endpoints. */
  @State(Scope.Thread)
  public static class ThreadState {
    private int next;

    PlannedAttempt nextCandidate(Shared shared) {
      next = (next + 7) % shared.candidates.length;
      return shared.candidates[next];
    }
  }

  /** One thread, each time at another endpoint. */
  @Benchmark
  @Threads(1)
  public Endpoint oneThreadOnDifferentEndpoints(Shared shared, ThreadState state) {
    return succeed(shared, state.nextCandidate(shared));
  }

  /** Two threads, mostly at different endpoints. */
  @Benchmark
  @Threads(2)
  public Endpoint twoThreadsOnDifferentEndpoints(Shared shared, ThreadState state) {
    return succeed(shared, state.nextCandidate(shared));
  }

  /** One thread, always at the same endpoint. */
  @Benchmark
  @Threads(1)
  public Endpoint oneThreadOnSameEndpoint(Shared shared) {
    return succeed(shared, shared.busyCandidate);
  }

  /** Two threads, always at the same endpoint. */
  @Benchmark
  @Threads(2)
  public Endpoint twoThreadsOnSameEndpoint(Shared shared) {
    return succeed(shared, shared.busyCandidate);
  }

  private static Endpoint succeed(Shared shared, PlannedAttempt candidate) {
    TrackedAttempt trackedAttempt =
        Objects.requireNonNull(
            shared.catalogHealth.begin(candidate),
            "the breaker refused the attempt; all endpoints should be usable");
    trackedAttempt.recordFirstContent(300_000_000);
    trackedAttempt.complete(500, 5_000_000_000L, false, false);
    return candidate.endpoint();
  }
}
