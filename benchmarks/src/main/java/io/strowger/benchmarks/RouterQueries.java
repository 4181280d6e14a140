package io.strowger.benchmarks;

import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Requests that leave the choice of a model to a router, over a {@link LargeCatalog}. */
final class RouterQueries {
  static final List<String> TIERS = List.of("low", "medium", "high", "xhigh", "max");

  private static final int COUNT = 1024;
  private static final int ALLOWED = 5;
  private static final Json.Obj CODE = Json.object().put("task_type", "code:debugging").build();

  /** The parameters of one request for the automatic router, and its query. */
  record RouterRequest(List<String> allowed, List<String> excluded, int tier, RoutingQuery query) {}

  private final RouterRequest[] requests;
  private int next;

  private RouterQueries(List<RouterRequest> requests) {
    this.requests = requests.toArray(new RouterRequest[0]);
  }

  /** Returns requests with one of five sets of patterns, each with a cost tier. */
  static RouterQueries known(Catalog catalog) {
    var random = new SplittableRandom(19);
    var requests = new ArrayList<RouterRequest>();
    for (int i = 0; i < COUNT; i++) {
      int set = i % 5;
      var allowed = List.of("author-1*", "author-2*", "author-" + (3 + set) + "/*");
      var excluded = List.of("*/model-" + (1 + set) + "*0");
      requests.add(routerRequest(allowed, excluded, set, random, catalog));
    }
    return new RouterQueries(requests);
  }

  /**
   * Returns requests that each allow five patterns and exclude one, different for every request.
   */
  static RouterQueries fresh(Catalog catalog) {
    var random = new SplittableRandom(23);
    var requests = new ArrayList<RouterRequest>();
    for (int i = 0; i < COUNT; i++) {
      var allowed = new ArrayList<String>();
      for (int pattern = 0; pattern < ALLOWED; pattern++) {
        allowed.add("author-" + random.nextInt(23) + "/model-*");
      }
      allowed.set(0, "*/model-*" + random.nextInt(10));
      allowed.set(1, LargeCatalog.requestedModel() + "-" + i); // so that no two requests are alike
      var excluded = List.of("*-" + (1000 + i) + "*");
      requests.add(routerRequest(allowed, excluded, random.nextInt(TIERS.size()), random, catalog));
    }
    return new RouterQueries(requests);
  }

  /** Returns requests for the best coding model, with a minimum score or a maximum price. */
  static RouterQueries coding(Catalog catalog, boolean priced) {
    var random = new SplittableRandom(29);
    var requests = new ArrayList<RouterRequest>();
    for (int i = 0; i < COUNT; i++) {
      Json.Obj config =
          priced
              ? Json.object().put("max_price", number(0.25 + 0.25 * (i % 8))).build()
              : Json.object().put("min_coding_score", number(i % 3 * 0.4)).build();
      var step = new RouterStep("pareto-router", "1", 0, config, Json.Obj.EMPTY);
      requests.add(
          new RouterRequest(List.of(), List.of(), 0, query("pareto-code", step, random, catalog)));
    }
    return new RouterQueries(requests);
  }

  private static RouterRequest routerRequest(
      List<String> allowed,
      List<String> excluded,
      int tier,
      SplittableRandom random,
      Catalog catalog) {
    Json.Obj config =
        Json.object()
            .put("allowed_models", texts(allowed))
            .put("excluded_models", texts(excluded))
            .put("cost_tier", TIERS.get(tier))
            .build();
    var step = new RouterStep("auto-router", "1", 0, config, CODE);
    return new RouterRequest(allowed, excluded, tier, query("auto", step, random, catalog));
  }

  private static Json number(double value) {
    return Json.of(BigDecimal.valueOf(value));
  }

  private static Json.Arr texts(List<String> words) {
    return Json.array(words.stream().map(Json::of).toList());
  }

  private static RoutingQuery query(
      String router, RouterStep step, SplittableRandom random, Catalog catalog) {
    return RoutingQuery.builder(catalog.version())
        .statisticsSequence(LargeStatistics.SEQUENCE)
        .models(List.of(ModelRef.parse("router/" + router)))
        .routers(List.of(step))
        .promptTokens(1_000)
        .maxPromptTokens(1_200)
        .outputLimit(2_000)
        .at(PlanQueries.NOW)
        .seed(random.nextLong())
        .build();
  }

  RouterRequest next() {
    return requests[next++ & COUNT - 1];
  }

  List<RouterRequest> list() {
    return List.of(requests);
  }
}
