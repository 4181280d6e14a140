package io.strowger.benchmarks;

import io.strowger.core.plan.Planner;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.RoutePlan;
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
 * What does one decision about a pinned model cost? The answer is nanoseconds and bytes per
 * decision, over a catalog of 400 models, whose trace nobody reads unless the benchmark says so.
 *
 * <p>Floor: {@link #roundRobinPick()}, which looks at nothing. Peers: the two {@code streams}
 * methods, which give the same order. Targets R1 ({@link #decide()} at 5 endpoints: at most 12
 * round robin picks and 400 B), R2 ({@link #decideWithPreferences()} at 5: at most 3 times {@link
 * #streamsWithPreferences()}), R3 (the same at 50: at most 0.7 times).
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class PlanBenchmark {
  /** Endpoints of the pinned model. */
  @Param({"5", "50"})
  public int endpoints;

  private Planner planner;
  private StreamPlanner streams;
  private PlanQueries plain;
  private PlanQueries opinionated;
  private List<Endpoint> candidates;
  private final AtomicInteger turn = new AtomicInteger();

  @Setup
  public void setUp() {
    Catalog catalog = LargeCatalog.withPinned(endpoints);
    planner = new Planner(catalog);
    streams = new StreamPlanner(catalog);
    plain = PlanQueries.plain();
    opinionated = PlanQueries.opinionated(endpoints);
    candidates = Objects.requireNonNull(catalog.model(LargeCatalog.pinned())).endpoints();
  }

  @Benchmark
  public Endpoint roundRobinPick() {
    return candidates.get(Math.floorMod(turn.getAndIncrement(), candidates.size()));
  }

  @Benchmark
  public List<Endpoint> streams() {
    return streams.plan(plain.next());
  }

  @Benchmark
  public List<Endpoint> streamsWithPreferences() {
    return streams.plan(opinionated.next());
  }

  @Benchmark
  public RoutePlan decide() {
    return planner.plan(plain.next());
  }

  @Benchmark
  public RoutePlan decideWithPreferences() {
    return planner.plan(opinionated.next());
  }

  /** The decision of {@link #decideWithPreferences()} with its explanation read. */
  @Benchmark
  public List<TraceEntry> decideAndExplain() {
    return planner.plan(opinionated.next()).trace();
  }
}
