package io.strowger.benchmarks;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Routing queries for {@link LargeCatalog#requestedModel()}. They all differ, so that neither a
 * cache nor a branch predictor can know the answer.
 */
final class PlanQueries {
  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private static final int COUNT = 1024;
  private static final long PARAMETERS =
      Parameter.mask(List.of(Parameter.MAX_TOKENS, Parameter.TEMPERATURE, Parameter.SEED));

  private final RoutingQuery[] queries;
  private int next;

  private PlanQueries(List<RoutingQuery> queries) {
    this.queries = queries.toArray(new RoutingQuery[0]);
  }

  /** Returns queries without preferences. */
  static PlanQueries plain() {
    return of(new SplittableRandom(11), query -> true, () -> ProviderPreferences.NONE);
  }

  /** Returns queries that all have the preferences of the same preset, as one object. */
  static PlanQueries preset() {
    var random = new SplittableRandom(12);
    ProviderPreferences preset =
        ProviderPreferences.builder()
            .ignore(List.of(LargeCatalog.providerSlug(LargeCatalog.PROVIDERS - 1)))
            .denyDataCollection(true)
            .maxPrice(caps(2_900_000))
            .build();
    return of(random, query -> true, () -> preset);
  }

  /**
   * Returns queries that set every preference and name two providers to try first; some forbid
   * fallbacks. Every preferences object is used once per round, and every query has a candidate.
   *
   * @param endpoints how many providers serve the model
   * @param javaStreamPlanner decides whether a query has a candidate
   */
  static PlanQueries ordered(int endpoints, JavaStreamPlanner javaStreamPlanner) {
    var random = new SplittableRandom(13);
    return of(
        random,
        query -> !javaStreamPlanner.plan(query).isEmpty(),
        () ->
            randomPreferences(random, endpoints)
                .order(
                    List.of(randomProvider(random, endpoints), randomProvider(random, endpoints)))
                .allowFallbacks(random.nextInt(8) > 0)
                .build());
  }

  /**
   * Returns queries like {@link #ordered}, but sorted by throughput and without providers to try
   * first.
   */
  static PlanQueries sorted(int endpoints, JavaStreamPlanner javaStreamPlanner) {
    var random = new SplittableRandom(14);
    var byThroughput = new ProviderSort(ProviderSort.Key.THROUGHPUT, ProviderSort.Partition.MODEL);
    return of(
        random,
        query -> !javaStreamPlanner.plan(query).isEmpty(),
        () -> randomPreferences(random, endpoints).sort(byThroughput).build());
  }

  private static PlanQueries of(
      SplittableRandom random,
      Predicate<RoutingQuery> filter,
      Supplier<ProviderPreferences> preferencesSource) {
    var queries = new ArrayList<RoutingQuery>();
    while (queries.size() < COUNT) {
      RoutingQuery query = query(random.nextLong(), preferencesSource.get());
      if (filter.test(query)) {
        queries.add(query);
      }
    }
    return new PlanQueries(queries);
  }

  private static RoutingQuery query(long seed, ProviderPreferences preferences) {
    return RoutingQuery.builder(LargeCatalog.VERSION)
        .statisticsSequence(LargeStatistics.SEQUENCE)
        .models(List.of(ModelRef.parse(LargeCatalog.requestedModel())))
        .preferences(preferences)
        .parameters(PARAMETERS)
        .promptTokens(1_000)
        .maxPromptTokens(1_200)
        .outputLimit(2_000)
        .at(NOW)
        .seed(seed)
        .build();
  }

  private static ProviderPreferences.Builder randomPreferences(
      SplittableRandom random, int endpoints) {
    var only = new ArrayList<String>();
    for (int i = 0; i < endpoints; i++) {
      if (random.nextInt(8) > 0) {
        only.add(LargeCatalog.providerSlug(i));
      }
    }
    return ProviderPreferences.builder()
        .only(only)
        .ignore(
            List.of(
                randomProvider(random, LargeCatalog.PROVIDERS),
                randomProvider(random, LargeCatalog.PROVIDERS)))
        .quantizations(List.of("fp8", "fp16", "bf16"))
        .denyDataCollection(true)
        .zdr(random.nextBoolean())
        .maxPrice(caps(random.nextLong(2_000_000, 3_000_000)))
        .requireParameters(random.nextBoolean())
        .preferredMinThroughput(
            new PercentilePreferences(random.nextLong(40_000_000), null, 9_000_000L, null))
        .preferredMaxLatency(
            new PercentilePreferences(null, null, random.nextLong(1_000_000, 3_000_000), null));
  }

  private static PriceCaps caps(long promptPicos) {
    return new PriceCaps(
        new UnitPrice(promptPicos), new UnitPrice(promptPicos * 4), null, null, null);
  }

  private static String randomProvider(SplittableRandom random, int count) {
    return LargeCatalog.providerSlug(random.nextInt(count));
  }

  RoutingQuery next() {
    return queries[next++ & COUNT - 1];
  }

  List<RoutingQuery> list() {
    return List.of(queries);
  }
}
