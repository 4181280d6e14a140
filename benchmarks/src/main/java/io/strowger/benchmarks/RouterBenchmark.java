package io.strowger.benchmarks;

import io.strowger.core.config.Plugins;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.core.routing.RoutePlan;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to leave the choice of the model to a router, from the query to the plan, over
 * 400 models with 2,000 endpoints? The facts that a router reads from a request are part of the
 * queries.
 *
 * <p>Peers: {@link #autoPackedAll()} and {@link #autoNaive()}, which only find the same model.
 * Targets R4 ({@link #auto()}: at most twice the pass over all endpoints), R5 ({@link
 * #autoFresh()}: at most half of the walk over objects), R6 ({@link #paretoSelect()}, {@link
 * #paretoPricedSelect()}: 200 B).
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class RouterBenchmark {
  private static final int PINNED_ENDPOINTS = 5;

  private Planner planner;
  private PreparedPlugins plugins;
  private Statistics allWell;
  private Statistics inTrouble;
  private RouterPeers peers;
  private OpenMarket open;
  private RouterQueries known;
  private RouterQueries fresh;
  private RouterQueries coding;
  private RouterQueries priced;
  private RouterPlugin[] byTier;
  private RouterPlugin[] byPrice;
  private int turn;

  @Setup
  public void setUp() {
    Catalog catalog = LargeCatalog.withPinned(PINNED_ENDPOINTS);
    plugins = PluginRegistry.of(Plugins.none().discover(BuiltinPlugins.all())).prepare(catalog);
    planner = new Planner(catalog, plugins);
    allWell = LargeStatistics.allWell(catalog);
    inTrouble = LargeStatistics.inTrouble(catalog);
    peers = new RouterPeers(catalog);
    open = new OpenMarket(catalog);
    known = RouterQueries.known(catalog);
    fresh = RouterQueries.fresh(catalog);
    coding = RouterQueries.coding(catalog, false);
    priced = RouterQueries.coding(catalog, true);
    byTier = routers(coding);
    byPrice = routers(priced);
  }

  private RouterPlugin[] routers(RouterQueries queries) {
    return queries.all().stream()
        .map(asked -> plugins.of(asked.query().routers().getFirst()))
        .toArray(RouterPlugin[]::new);
  }

  @Benchmark
  public int autoPackedAll() {
    return peers.packed(known.next());
  }

  @Benchmark
  public List<ModelInfo> autoNaive() {
    return peers.naive(fresh.next());
  }

  /** With patterns seen before, and a tier of cost. */
  @Benchmark
  public RoutePlan auto() {
    return planner.plan(known.next().query(), allWell);
  }

  /** With some unhealthy endpoints, so that no short cut applies. */
  @Benchmark
  public RoutePlan autoInTrouble() {
    return planner.plan(known.next().query(), inTrouble);
  }

  /** With patterns never seen before. */
  @Benchmark
  public RoutePlan autoFresh() {
    return planner.plan(fresh.next().query(), allWell);
  }

  /** The decision of {@link #auto()}, including the reasons for all 2,000 endpoints. */
  @Benchmark
  public List<TraceEntry> autoAndExplain() {
    return planner.plan(known.next().query(), allWell).trace();
  }

  /** The router alone, by tier. */
  @Benchmark
  public Selection paretoSelect() {
    return byTier[turn++ & byTier.length - 1].select(open);
  }

  /** The router alone, by price. */
  @Benchmark
  public Selection paretoPricedSelect() {
    return byPrice[turn++ & byPrice.length - 1].select(open);
  }

  @Benchmark
  public RoutePlan pareto() {
    return planner.plan(coding.next().query(), allWell);
  }

  @Benchmark
  public RoutePlan paretoPriced() {
    return planner.plan(priced.next().query(), allWell);
  }
}
