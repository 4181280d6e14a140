package io.strowger.core.plan;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Makes catalogs and queries, and plans them, for tests of the planner. */
final class TestPlans {
  static final String VERSION = "test";

  private TestPlans() {}

  /** Returns a builder of an endpoint with this tag; its provider is the part before the slash. */
  static Endpoint.Builder endpointBuilder(String tag, String model) {
    String slug = tag.split("/", 2)[0];
    String name = slug.substring(0, 1).toUpperCase(Locale.ROOT) + slug.substring(1);
    return Endpoint.builder(model, new ProviderInfo(slug, name + " Cloud", true, true, null, false))
        .tag(tag);
  }

  /** Returns an endpoint at this price in dollars per million tokens, for prompt and output. */
  static Endpoint endpoint(String tag, String model, String perMillion) {
    return endpointBuilder(tag, model).pricing(perMillion(perMillion, perMillion)).build();
  }

  static Pricing perMillion(String prompt, String completion) {
    return Pricing.builder()
        .set(Price.PROMPT, dollarsPerMillion(prompt))
        .set(Price.COMPLETION, dollarsPerMillion(completion))
        .build();
  }

  static UnitPrice dollarsPerMillion(String dollars) {
    return UnitPrice.ofDollars(new BigDecimal(dollars).movePointLeft(6));
  }

  /** Returns a catalog of these endpoints, with their models in order of appearance. */
  static Catalog catalog(List<Endpoint> endpoints) {
    var byModel = new LinkedHashMap<String, List<Endpoint>>();
    for (Endpoint endpoint : endpoints) {
      byModel.merge(
          endpoint.model(),
          List.of(endpoint),
          (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
    }
    Catalog.Builder catalog = Catalog.builder(VERSION);
    byModel.forEach((id, of) -> catalog.add(ModelInfo.builder(id).build(), of));
    return catalog.build();
  }

  static Catalog catalog(Endpoint... endpoints) {
    return catalog(Arrays.asList(endpoints));
  }

  static RoutingQuery.Builder queryFor(String... models) {
    return RoutingQuery.builder(VERSION)
        .models(Arrays.stream(models).map(ModelRef::parse).toList())
        .seed(1);
  }

  static ProviderPreferences.Builder preferences() {
    return ProviderPreferences.builder();
  }

  static RoutePlan plan(Catalog catalog, RoutingQuery.Builder query) {
    return new Planner(catalog).plan(query.build());
  }

  /** Returns the tags of the candidates in order; empty when there is no route. */
  static List<String> tried(RoutePlan plan) {
    return switch (plan) {
      case RoutePlan.Attempts attempts ->
          attempts.candidates().stream().map(PlannedAttempt::endpoint).map(Endpoint::tag).toList();
      case RoutePlan.NoRoute none -> List.of();
    };
  }

  static List<String> tried(Catalog catalog, RoutingQuery.Builder query) {
    return tried(plan(catalog, query));
  }

  /** Asserts that there is no route, and returns the refusal. */
  static RoutePlan.NoRoute refused(Catalog catalog, RoutingQuery.Builder query) {
    RoutePlan plan = plan(catalog, query);
    if (plan instanceof RoutePlan.NoRoute none) {
      return none;
    }
    throw new AssertionError("expected no route, was " + plan);
  }

  static TraceEntry.Excluded excluded(String endpoint, String rule, String reason) {
    return new TraceEntry.Excluded(endpoint, rule, reason);
  }
}
