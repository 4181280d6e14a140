package io.strowger.benchmarks;

import io.strowger.core.health.CatalogHealth;
import io.strowger.core.health.Health;
import io.strowger.core.health.HealthPolicy;
import io.strowger.core.health.Statistics;
import io.strowger.core.health.TrackedAttempt;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does one publication of statistics cost? Statistics are published at most four times a
 * second. All 2,000 endpoints have been used; since the last publication, {@link #changed}
 * endpoints have answered again.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class PublishBenchmark {
  /** The number of endpoints that answered since the last publication. */
  @Param({"20", "2000"})
  public int changed;

  private final SteppedAmbient ambient = new SteppedAmbient();
  private Health health;
  private CatalogHealth catalogHealth;
  private Catalog catalog;
  private int next;

  @Setup
  public void setUp() {
    catalog = LargeCatalog.withRequestedModelEndpoints(5);
    health = new Health(ambient, HealthPolicy.STANDARD);
    catalogHealth = health.healthOf(catalog);
    answer(LargeCatalog.ENDPOINTS);
    ambient.runOnce();
  }

  @Setup(Level.Invocation)
  public void answerAgain() {
    answer(changed);
  }

  private void answer(int endpoints) {
    for (int i = 0; i < endpoints; i++) {
      Endpoint endpoint = catalog.endpoints().get(next);
      next = (next + 1) % LargeCatalog.ENDPOINTS;
      TrackedAttempt trackedAttempt =
          Objects.requireNonNull(
              catalogHealth.begin(PlannedAttempt.of(endpoint)),
              "the breaker refused the attempt; all endpoints should be usable");
      trackedAttempt.recordFirstContent(300_000_000L + next);
      trackedAttempt.complete(500, 5_000_000_000L, false, false);
    }
  }

  @Benchmark
  public Statistics publish() {
    ambient.runOnce();
    return catalogHealth.published();
  }

  /**
   * An ambient whose time passes only in sleeps, and whose background work runs on demand: {@link
   * #runOnce} does, on the measuring thread, what a background thread does between two sleeps. Not
   * thread-safe.
   */
  private static final class SteppedAmbient implements Ambient {
    private long nanos = 1;
    private int rounds;
    private Runnable background = () -> {};

    @Override
    public Instant now() {
      return PlanQueries.NOW.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long seed() {
      return nanos;
    }

    /** Advances the time; throws when the round is over, which ends the background work. */
    @Override
    public void sleep(Duration time) throws InterruptedException {
      if (rounds == 0) {
        throw new InterruptedException("one round is over");
      }
      rounds--;
      nanos += time.toNanos();
    }

    @Override
    public Thread start(String name, Runnable task) {
      background = task;
      return Thread.ofVirtual().name(name).unstarted(task);
    }

    @Override
    public Thread startService(String name, Runnable task) {
      return start(name, task);
    }

    /** Runs the background work for one round, which begins with its next sleep. */
    void runOnce() {
      rounds = 1;
      background.run();
    }
  }
}
