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
 * Routing queries for {@link LargeCatalog#pinned()}. They all differ, so that neither a cache nor a
 * branch predictor can know the answer.
 */
final class PlanQueries {
  static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");

  private static final int COUNT = 1024;
  private static final long ASKED =
      Parameter.mask(List.of(Parameter.MAX_TOKENS, Parameter.TEMPERATURE, Parameter.SEED));

  private final RoutingQuery[] queries;
  private int next;

  private PlanQueries(List<RoutingQuery> queries) {
    this.queries = queries.toArray(new RoutingQuery[0]);
  }

  /** Returns queries without preferences. */
  static PlanQueries plain() {
    return of(new SplittableRandom(11), any -> true, () -> ProviderPreferences.NONE);
  }

  /** Returns queries that all have the preferences of the same preset, as one object. */
  static PlanQueries preset() {
    var random = new SplittableRandom(12);
    ProviderPreferences preset =
        ProviderPreferences.builder()
            .ignore(List.of(LargeCatalog.provider(LargeCatalog.PROVIDERS - 1)))
            .denyDataCollection(true)
            .maxPrice(caps(2_900_000))
            .build();
    return of(random, any -> true, () -> preset);
  }

  /**
   * Returns queries that set every preference and name two providers to try first; some forbid
   * fallbacks. Every preferences object is used once per round, and every query has a candidate.
   *
   * @param endpoints how many providers serve the model
   * @param streams decides whether a query has a candidate
   */
  static PlanQueries ordered(int endpoints, StreamPlanner streams) {
    var random = new SplittableRandom(13);
    return of(
        random,
        query -> !streams.plan(query).isEmpty(),
        () ->
            opinionated(random, endpoints)
                .order(List.of(anyone(random, endpoints), anyone(random, endpoints)))
                .allowFallbacks(random.nextInt(8) > 0)
                .build());
  }

  /**
   * Returns queries like {@link #ordered}, but sorted by throughput and without providers to try
   * first.
   */
  static PlanQueries sorted(int endpoints, StreamPlanner streams) {
    var random = new SplittableRandom(14);
    var byThroughput = new ProviderSort(ProviderSort.Key.THROUGHPUT, ProviderSort.Partition.MODEL);
    return of(
        random,
        query -> !streams.plan(query).isEmpty(),
        () -> opinionated(random, endpoints).sort(byThroughput).build());
  }

  private static PlanQueries of(
      SplittableRandom random,
      Predicate<RoutingQuery> answered,
      Supplier<ProviderPreferences> wishes) {
    var queries = new ArrayList<RoutingQuery>();
    while (queries.size() < COUNT) {
      RoutingQuery query = query(random.nextLong(), wishes.get());
      if (answered.test(query)) {
        queries.add(query);
      }
    }
    return new PlanQueries(queries);
  }

  private static RoutingQuery query(long seed, ProviderPreferences preferences) {
    return RoutingQuery.builder(LargeCatalog.VERSION)
        .statistics(LargeStatistics.SEQUENCE)
        .models(List.of(ModelRef.parse(LargeCatalog.pinned())))
        .preferences(preferences)
        .parameters(ASKED)
        .promptTokens(1_000)
        .promptCeiling(1_200)
        .outputLimit(2_000)
        .at(AT)
        .seed(seed)
        .build();
  }

  private static ProviderPreferences.Builder opinionated(SplittableRandom random, int endpoints) {
    var only = new ArrayList<String>();
    for (int i = 0; i < endpoints; i++) {
      if (random.nextInt(8) > 0) {
        only.add(LargeCatalog.provider(i));
      }
    }
    return ProviderPreferences.builder()
        .only(only)
        .ignore(
            List.of(anyone(random, LargeCatalog.PROVIDERS), anyone(random, LargeCatalog.PROVIDERS)))
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

  private static String anyone(SplittableRandom random, int among) {
    return LargeCatalog.provider(random.nextInt(among));
  }

  RoutingQuery next() {
    return queries[next++ & COUNT - 1];
  }

  List<RoutingQuery> all() {
    return List.of(queries);
  }
}
