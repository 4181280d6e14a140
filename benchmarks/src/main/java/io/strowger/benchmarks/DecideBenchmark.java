package io.strowger.benchmarks;

import io.strowger.core.Routing;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.decisionlog.ReplayRouters;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.host.cli.CommandContext;
import io.strowger.host.cli.ConfigFile;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.routing.TraceEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does one decision about a given request over a given configuration cost? The result is
 * nanoseconds and bytes per decision; {@code bench decide} runs it.
 *
 * <p>Lower bound: {@link #roundRobinPick()}, which takes the next of the same endpoints without any
 * check. Every call makes the same decision, so processor caches are as warm as possible.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class DecideBenchmark {
  /** The system properties that select the decision. */
  static final String CONFIG = "strowger.decide.config";

  static final String REQUEST = "strowger.decide.request";
  static final String DIALECT = "strowger.decide.dialect";
  static final String SEED = "strowger.decide.seed";

  private final Ambient ambient = new SystemAmbient();
  private final AtomicInteger position = new AtomicInteger();
  private RunningGateway gateway;
  private ReplayRouters routers;
  private Planner planner;
  private RoutingQuery query;
  private Statistics statistics;
  private Dialect dialect;
  private byte[] body;
  private long seed;
  private List<Endpoint> endpoints;

  @Setup
  public void setUp() throws Exception {
    dialect = Dialect.valueOf(System.getProperty(DIALECT).toUpperCase(Locale.ROOT));
    seed = Long.parseLong(System.getProperty(SEED));
    body = Files.readAllBytes(Path.of(System.getProperty(REQUEST)));
    setUp(Path.of(System.getProperty(CONFIG)));
  }

  private void setUp(Path config) throws Exception {
    ConfigFile.OpenConfig opened = new ConfigFile(config, CommandContext.standard(ambient)).open();
    routers =
        ReplayRouters.of(
            RunningGateway.plugins(opened.plugins()), opened.config().plugins(), ambient);
    gateway =
        RunningGateway.open(
            opened.config(), opened.plugins(), ambient, RunningGateway.HostResources.NONE);
    Routing.Explanation explanation = explain();
    query = explanation.query();
    statistics = explanation.statistics();
    planner = new Planner(explanation.catalog(), routers.forCatalog(explanation.catalog()));
    endpoints = endpoints(explanation);
  }

  /** Returns the candidates; all endpoints when the request is refused. */
  private static List<Endpoint> endpoints(Routing.Explanation explanation) {
    return switch (explanation.plan()) {
      case RoutePlan.Attempts attempts ->
          attempts.candidates().stream().map(candidate -> candidate.endpoint()).toList();
      case RoutePlan.NoRoute none -> explanation.catalog().endpoints();
    };
  }

  final Routing.Explanation explain() {
    return gateway.gateway().routing().explain(dialect, body.clone(), seed);
  }

  @TearDown
  public void close() {
    routers.close();
    gateway.close();
  }

  @Benchmark
  public Endpoint roundRobinPick() {
    return endpoints.get(Math.floorMod(position.getAndIncrement(), endpoints.size()));
  }

  @Benchmark
  public RoutePlan decide() {
    return planner.plan(query, statistics);
  }

  /** Decides and reads every reason, as the answer's {@code router_metadata} does. */
  @Benchmark
  public List<TraceEntry> decideAndExplain() {
    return planner.plan(query, statistics).trace();
  }

  /** Starts from the bytes of the body: reads, checks, decides and explains. */
  @Benchmark
  public Routing.Explanation readAndExplain() {
    return explain();
  }
}
