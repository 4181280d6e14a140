package io.strowger.benchmarks;

import io.strowger.core.config.Plugins;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.core.routing.RoutePlan;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ModelSet;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.plugin.UsableEndpoint;
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
 * <p>Compared with: {@link #autoPackedAll()} and {@link #autoNaive()}, which only find the same
 * model. Target R4: {@link #auto()} takes at most twice as long as {@link #autoPackedAll()}. Target
 * R5: {@link #autoFresh()} takes at most half as long as {@link #autoNaive()}. Target R6: {@link
 * #paretoSelect()} and {@link #paretoPricedSelect()} allocate at most 200 B.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class RouterBenchmark {
  private static final int REQUESTED_MODEL_ENDPOINTS = 5;

  private Planner planner;
  private PreparedPlugins plugins;
  private Statistics healthy;
  private Statistics degraded;
  private RouterPeers peers;
  private UnrestrictedCandidates candidates;
  private RouterQueries knownQueries;
  private RouterQueries freshQueries;
  private RouterQueries codingQueries;
  private RouterQueries pricedQueries;
  private RouterPlugin[] tierRouters;
  private RouterPlugin[] priceRouters;
  private int position;

  @Setup
  public void setUp() {
    Catalog catalog = LargeCatalog.withRequestedModelEndpoints(REQUESTED_MODEL_ENDPOINTS);
    plugins = PluginRegistry.of(Plugins.none().discover(BuiltinPlugins.all())).prepare(catalog);
    planner = new Planner(catalog, plugins);
    healthy = LargeStatistics.healthy(catalog);
    degraded = LargeStatistics.degraded(catalog);
    peers = new RouterPeers(catalog);
    candidates = new UnrestrictedCandidates(catalog);
    knownQueries = RouterQueries.known(catalog);
    freshQueries = RouterQueries.fresh(catalog);
    codingQueries = RouterQueries.coding(catalog, false);
    pricedQueries = RouterQueries.coding(catalog, true);
    tierRouters = routers(codingQueries);
    priceRouters = routers(pricedQueries);
  }

  private RouterPlugin[] routers(RouterQueries queries) {
    return queries.list().stream()
        .map(request -> plugins.find(request.query().routers().getFirst()))
        .toArray(RouterPlugin[]::new);
  }

  @Benchmark
  public int autoPackedAll() {
    return peers.packed(knownQueries.next());
  }

  @Benchmark
  public List<ModelInfo> autoNaive() {
    return peers.naive(freshQueries.next());
  }

  /** With patterns seen before, and a cost tier. */
  @Benchmark
  public RoutePlan auto() {
    return planner.plan(knownQueries.next().query(), healthy);
  }

  /** With some unhealthy endpoints, so that no short cut applies. */
  @Benchmark
  public RoutePlan autoDegraded() {
    return planner.plan(knownQueries.next().query(), degraded);
  }

  /** With patterns never seen before. */
  @Benchmark
  public RoutePlan autoFresh() {
    return planner.plan(freshQueries.next().query(), healthy);
  }

  /** The decision of {@link #auto()}, including the reasons for all 2,000 endpoints. */
  @Benchmark
  public List<TraceEntry> autoAndExplain() {
    return planner.plan(knownQueries.next().query(), healthy).trace();
  }

  /** The router alone, by tier. */
  @Benchmark
  public Selection paretoSelect() {
    return tierRouters[position++ & tierRouters.length - 1].select(candidates);
  }

  /** The router alone, by price. */
  @Benchmark
  public Selection paretoPricedSelect() {
    return priceRouters[position++ & priceRouters.length - 1].select(candidates);
  }

  @Benchmark
  public RoutePlan pareto() {
    return planner.plan(codingQueries.next().query(), healthy);
  }

  @Benchmark
  public RoutePlan paretoPriced() {
    return planner.plan(pricedQueries.next().query(), healthy);
  }

  /** The candidates of a request without restrictions: every model is usable. */
  private static final class UnrestrictedCandidates implements Candidates {
    private final Catalog catalog;
    private final long[] promptPicos; // by model

    UnrestrictedCandidates(Catalog catalog) {
      this.catalog = catalog;
      this.promptPicos =
          catalog.models().stream().mapToLong(UnrestrictedCandidates::promptPicos).toArray();
    }

    private static long promptPicos(ModelInfo model) {
      return model.endpoints().stream()
          .mapToLong(endpoint -> endpoint.pricing().picos(Price.PROMPT))
          .min()
          .orElse(Long.MAX_VALUE);
    }

    @Override
    public Catalog catalog() {
      return catalog;
    }

    @Override
    public Json facts() {
      return Json.Obj.EMPTY;
    }

    @Override
    public List<UsableEndpoint> endpoints(int index) {
      throw new UnsupportedOperationException("no router that is measured here asks for endpoints");
    }

    @Override
    public boolean isUsable(int index) {
      return true;
    }

    @Override
    public long blendedPrice(int index) {
      List<Endpoint> endpoints = model(index).endpoints();
      return endpoints.getFirst().blendedPrice();
    }

    @Override
    public long promptPicos(int index) {
      return promptPicos[index];
    }

    @Override
    public double throughput(int index) {
      return 0;
    }

    @Override
    public boolean isSticky(int index) {
      return false;
    }

    @Override
    public long random(int n) {
      return n;
    }

    @Override
    public ModelSet matching(List<String> patterns) {
      throw new UnsupportedOperationException("no router that is measured here has patterns");
    }
  }
}
