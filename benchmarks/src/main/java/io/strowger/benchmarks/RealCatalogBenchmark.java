package io.strowger.benchmarks;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.Plugins;
import io.strowger.core.health.Statistics;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.host.catalog.CatalogImport;
import io.strowger.host.catalog.ImportOptions;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * What does one decision cost over a public price list that was imported completely? {@link
 * #anyModel()} asks for another model each time, so its data is rarely in the processor's caches;
 * {@link #auto()} leaves the choice to the automatic router.
 *
 * <p>Runs only if the system property {@value #CATALOG_PROPERTY} names a list in the form that
 * {@code catalog import --from models-dev} reads.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class RealCatalogBenchmark {
  /** The system property that names the list. */
  static final String CATALOG_PROPERTY = "strowger.benchmarks.catalog";

  private static final int COUNT = 1 << 14;
  private static final Json.Obj WRITING_FACTS =
      Json.object().put("task_type", "general_chat").build();

  private Planner planner;
  private RoutingQuery[] pinnedQueries;
  private RoutingQuery autoQuery;
  private int next;

  /** Returns why this benchmark cannot run; null when it can. */
  static @Nullable String skipReason() {
    String list = System.getProperty(CATALOG_PROPERTY);
    if (list == null || list.isBlank()) {
      return "RealCatalogBenchmark is left out: name a price list with -D"
          + CATALOG_PROPERTY
          + "=FILE to run it";
    }
    return Files.isReadable(Path.of(list))
        ? null
        : "RealCatalogBenchmark is left out: " + list + " cannot be read";
  }

  @Setup
  public void setUp() throws IOException {
    String skipReason = skipReason();
    if (skipReason != null) {
      throw new IOException(skipReason);
    }
    setUp(
        Files.readAllBytes(Path.of(Objects.requireNonNull(System.getProperty(CATALOG_PROPERTY)))));
  }

  final void setUp(byte[] list) throws IOException {
    Catalog catalog = catalog(list);
    var plugins = PluginRegistry.of(Plugins.none().discover(BuiltinPlugins.all()));
    planner = new Planner(catalog, plugins.prepare(catalog));
    var random = new SplittableRandom(31);
    pinnedQueries = new RoutingQuery[COUNT];
    for (int i = 0; i < COUNT; i++) {
      int model = random.nextInt(catalog.models().size());
      pinnedQueries[i] =
          query(catalog, catalog.models().get(model).id(), random.nextLong()).build();
    }
    Json.Obj config = Json.object().put("cost_tier", "medium").build();
    autoQuery =
        query(catalog, "router/auto", 1)
            .routers(List.of(new RouterStep("auto-router", "1", 0, config, WRITING_FACTS)))
            .build();
  }

  private static Catalog catalog(byte[] list) throws IOException {
    try {
      Json.Obj config =
          CatalogImport.MODELS_DEV.read(new JacksonCodec().parse(list), ImportOptions.ALL).config();
      return new ConfigReader(new JacksonCodec(), name -> "not-a-key")
          .read(config)
          .orThrow()
          .catalog();
    } catch (JsonCodec.MalformedJsonException | IllegalArgumentException e) {
      throw new IOException("the price list of -D" + CATALOG_PROPERTY + ": " + e.getMessage(), e);
    }
  }

  private static RoutingQuery.Builder query(Catalog catalog, String model, long seed) {
    return RoutingQuery.builder(catalog.version())
        .models(List.of(ModelRef.parse(model)))
        .promptTokens(800)
        .maxPromptTokens(1_000)
        .at(PlanQueries.NOW)
        .seed(seed);
  }

  @Benchmark
  public RoutePlan anyModel() {
    return planner.plan(pinnedQueries[next++ & COUNT - 1], Statistics.NONE);
  }

  @Benchmark
  public RoutePlan auto() {
    return planner.plan(autoQuery, Statistics.NONE);
  }
}
