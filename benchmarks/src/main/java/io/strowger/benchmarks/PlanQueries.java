package io.strowger.benchmarks;

import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.RoutingQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Questions a router is asked about {@link LargeCatalog#pinned()}. Many different ones, so that
 * neither a cache nor a branch predictor can know the answer.
 */
final class PlanQueries {
  private static final int COUNT = 1024;
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");

  private final RoutingQuery[] queries;
  private int next;

  private PlanQueries(List<RoutingQuery> queries) {
    this.queries = queries.toArray(new RoutingQuery[0]);
  }

  /** Requests without an opinion. */
  static PlanQueries plain() {
    return new PlanQueries(
        new SplittableRandom(11)
            .longs(COUNT)
            .mapToObj(seed -> query(seed, ProviderPreferences.NONE))
            .toList());
  }

  /**
   * Requests that name two providers to try first, allow about three quarters of those that serve
   * the model, rule out two, and sometimes forbid fallbacks. Every preferences object is used once
   * per round.
   *
   * @param endpoints how many providers serve the model
   */
  static PlanQueries opinionated(int endpoints) {
    var random = new SplittableRandom(13);
    var queries = new ArrayList<RoutingQuery>();
    for (int i = 0; i < COUNT; i++) {
      queries.add(query(random.nextLong(), preferences(random, endpoints)));
    }
    return new PlanQueries(queries);
  }

  private static RoutingQuery query(long seed, ProviderPreferences preferences) {
    return RoutingQuery.builder(LargeCatalog.VERSION)
        .models(List.of(ModelRef.parse(LargeCatalog.pinned())))
        .preferences(preferences)
        .promptCeiling(1_200)
        .outputLimit(2_000)
        .at(AT)
        .seed(seed)
        .build();
  }

  private static ProviderPreferences preferences(SplittableRandom random, int endpoints) {
    var only = new ArrayList<String>();
    for (int i = 0; i < endpoints; i++) {
      if (random.nextInt(4) > 0) {
        only.add(LargeCatalog.provider(i));
      }
    }
    return ProviderPreferences.builder()
        .order(List.of(anyone(random, endpoints), anyone(random, endpoints)))
        .only(only)
        .ignore(List.of(anyone(random, endpoints), anyone(random, LargeCatalog.PROVIDERS)))
        .allowFallbacks(random.nextInt(8) > 0)
        .build();
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
