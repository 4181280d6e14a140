package io.strowger.benchmarks;

import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does one decision about the model with {@link #endpoints} endpoints cost? The result is
 * nanoseconds and bytes per decision, over a catalog of 400 models with statistics for all 2,000
 * endpoints. The trace is read only by the benchmarks that explain.
 *
 * <p>Lower bound: {@link #roundRobinPick()}, which checks nothing. Compared with: {@link
 * #planWithJavaStreams()} and its variants, which plan with java.util.stream and return the same
 * order. Targets, as listed in {@link Target}:
 *
 * <ul>
 *   <li>R1, at 5 endpoints: {@link #decide()} takes at most 12 times as long as {@link
 *       #roundRobinPick()}; it and {@link #decideWithPreset()} allocate at most 400 B each
 *   <li>R2, at 5 endpoints: {@link #decideOrdered()} takes at most 3 times as long as {@link
 *       #planWithJavaStreamsOrdered()}, and allocates at most 500 B
 *   <li>R3, at 50 endpoints: {@link #decideSorted()} takes at most 0.7 times as long as {@link
 *       #planWithJavaStreamsSorted()}, and allocates at most 1,000 B
 * </ul>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class PlanBenchmark {
  /** The number of endpoints of the requested model. */
  @Param({"5", "50"})
  public int endpoints;

  private Planner planner;
  private Statistics healthy;
  private Statistics degraded;
  private JavaStreamPlanner javaStreamPlanner;
  private JavaStreamPlanner degradedJavaStreamPlanner;
  private PlanQueries plainQueries;
  private PlanQueries presetQueries;
  private PlanQueries orderedQueries;
  private PlanQueries sortedQueries;
  private List<Endpoint> candidates;
  private final AtomicInteger position = new AtomicInteger();

  @Setup
  public void setUp() {
    Catalog catalog = LargeCatalog.withRequestedModelEndpoints(endpoints);
    planner = new Planner(catalog);
    healthy = LargeStatistics.healthy(catalog);
    degraded = LargeStatistics.degraded(catalog);
    javaStreamPlanner = new JavaStreamPlanner(catalog, healthy);
    degradedJavaStreamPlanner = new JavaStreamPlanner(catalog, degraded);
    plainQueries = PlanQueries.plain();
    presetQueries = PlanQueries.preset();
    orderedQueries = PlanQueries.ordered(endpoints, javaStreamPlanner);
    sortedQueries = PlanQueries.sorted(endpoints, javaStreamPlanner);
    candidates = Objects.requireNonNull(catalog.model(LargeCatalog.requestedModel())).endpoints();
  }

  @Benchmark
  public Endpoint roundRobinPick() {
    return candidates.get(Math.floorMod(position.getAndIncrement(), candidates.size()));
  }

  @Benchmark
  public List<Endpoint> planWithJavaStreams() {
    return javaStreamPlanner.plan(plainQueries.next());
  }

  @Benchmark
  public List<Endpoint> planWithJavaStreamsDegraded() {
    return degradedJavaStreamPlanner.plan(plainQueries.next());
  }

  @Benchmark
  public List<Endpoint> planWithJavaStreamsOrdered() {
    return javaStreamPlanner.plan(orderedQueries.next());
  }

  @Benchmark
  public List<Endpoint> planWithJavaStreamsSorted() {
    return javaStreamPlanner.plan(sortedQueries.next());
  }

  @Benchmark
  public RoutePlan decide() {
    return planner.plan(plainQueries.next(), healthy);
  }

  /** With preferences that many requests have in common. */
  @Benchmark
  public RoutePlan decideWithPreset() {
    return planner.plan(presetQueries.next(), healthy);
  }

  /** With some unhealthy endpoints, so that no short cut applies. */
  @Benchmark
  public RoutePlan decideDegraded() {
    return planner.plan(plainQueries.next(), degraded);
  }

  /**
   * Each query sets every kind of preference, with values that no earlier query had, and an order.
   */
  @Benchmark
  public RoutePlan decideOrdered() {
    return planner.plan(orderedQueries.next(), healthy);
  }

  /** As {@link #decideOrdered}, but sorted by throughput. */
  @Benchmark
  public RoutePlan decideSorted() {
    return planner.plan(sortedQueries.next(), healthy);
  }

  /** The decision of {@link #decide()}, including its explanation. */
  @Benchmark
  public List<TraceEntry> decideAndExplain() {
    return planner.plan(plainQueries.next(), healthy).trace();
  }

  /** The decision of {@link #decideSorted()}, including its explanation. */
  @Benchmark
  public List<TraceEntry> decideSortedAndExplain() {
    return planner.plan(sortedQueries.next(), healthy).trace();
  }
}
