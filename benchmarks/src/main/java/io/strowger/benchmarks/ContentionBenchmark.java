package io.strowger.benchmarks;

import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Do decisions on several threads slow each other down? The result is the ratio of the decisions
 * per second of two threads to those of one: 2 x {@link #oneThread} / {@link #twoThreads}, both in
 * nanoseconds per decision. All threads use the same planner and statistics.
 *
 * <p>Target C1: the ratio is at least 1.6, better 1.8. Only meaningful when two processors are
 * free.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ContentionBenchmark {
  /** The state that the threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    final Catalog catalog = LargeCatalog.withRequestedModelEndpoints(5);
    final Planner planner = new Planner(catalog);
    final Statistics healthy = LargeStatistics.healthy(catalog);
  }

  /** The queries of each thread. */
  @State(Scope.Thread)
  public static class ThreadState {
    final PlanQueries queries = PlanQueries.plain();
  }

  @Benchmark
  @Threads(1)
  public RoutePlan oneThread(Shared shared, ThreadState state) {
    return shared.planner.plan(state.queries.next(), shared.healthy);
  }

  @Benchmark
  @Threads(2)
  public RoutePlan twoThreads(Shared shared, ThreadState state) {
    return shared.planner.plan(state.queries.next(), shared.healthy);
  }
}
