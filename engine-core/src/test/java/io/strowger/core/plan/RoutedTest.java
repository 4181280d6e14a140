package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.plugin.UsableEndpoint;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.ProviderSort.Key;
import io.strowger.spi.routing.ProviderSort.Partition;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A plan with a router")
class RoutedTest {
  private static final Catalog CATALOG =
      catalog(
          endpoint("a", "m1", "1"),
          endpoint("b", "m1", "2"),
          endpoint("a", "m2", "3"),
          endpoint("c", "m2", "4"),
          endpointBuilder("d", "m3").pricing(perMillion("0", "0")).parameters(0).build());

  private static RoutePlan plan(
      RoutingQuery.Builder query, Function<Candidates, Selection> choice) {
    RouterPlugin router = choice::apply;
    return new Planner(CATALOG, step -> step.plugin().equals("house") ? router : null)
        .plan(query.build());
  }

  private static RoutingQuery.Builder routedQuery(String... models) {
    return queryFor(models).routers(List.of(step(0)));
  }

  private static RouterStep step(int model) {
    return new RouterStep("house", "1", model, Json.Obj.EMPTY, Json.Obj.EMPTY);
  }

  private static Selection models(String... ids) {
    return new Selection.Models(List.of(ids), "because");
  }

  /** Selects the first usable model; refuses when there is none. */
  static Selection first(Candidates candidates) {
    return IntStream.range(0, candidates.size())
        .filter(candidates::isUsable)
        .mapToObj(place -> models(candidates.model(place).id()))
        .findFirst()
        .orElse(new Selection.Refusal(ErrorCode.NO_ENDPOINTS, "No models match"));
  }

  private static List<String> tried(RoutePlan plan) {
    return plan instanceof RoutePlan.Attempts attempts
        ? attempts.candidates().stream().map(c -> c.endpoint().id()).toList()
        : List.of();
  }

  private static List<String> offeredModels(RoutingQuery.Builder query) {
    var modelIds = new ArrayList<String>();
    plan(
        query,
        candidates -> {
          IntStream.range(0, candidates.size())
              .filter(candidates::isUsable)
              .forEach(i -> modelIds.add(candidates.model(i).id()));
          return Selection.PASS;
        });
    return modelIds;
  }

  @Nested
  @DisplayName("that stands for the requested model")
  class ForASlug {
    @Test
    @DisplayName(
        "tries the router's models in the router's order, each with its endpoints in the usual"
            + " order")
    void inOrder() {
      var plan = plan(routedQuery("router/house"), candidates -> models("m2", "m1"));
      assertThat(tried(plan)).hasSize(4);
      assertThat(tried(plan).subList(0, 2)).containsExactlyInAnyOrder("m2@a", "m2@c");
      assertThat(((RoutePlan.Attempts) plan).candidates()).allMatch(c -> c.modelIndex() == 0);
      assertThat(plan.trace())
          .contains(new TraceEntry.Routed("house", "router/house", "because", Json.Obj.EMPTY));
    }

    @Test
    @DisplayName("tries the router's endpoints exactly in the router's order")
    void endpoints() {
      var order = List.of("m2@c", "m1@b", "m2@a");
      var sorted =
          routedQuery("router/house")
              .preferences(
                  preferences().sort(new ProviderSort(Key.PRICE, Partition.MODEL)).build());
      assertThat(tried(plan(sorted, f -> new Selection.Endpoints(order, "fine")))).isEqualTo(order);
    }

    @Test
    @DisplayName("never offers the router what a rule drops")
    void offers() {
      assertThat(offeredModels(routedQuery("router/house"))).containsExactly("m1", "m2", "m3");
      assertThat(
              offeredModels(
                  routedQuery("router/house")
                      .preferences(preferences().ignore(List.of("a", "b")).build())))
          .containsExactly("m2", "m3");
    }

    @Test
    @DisplayName("offers the router only endpoints that support the request")
    void abilities() {
      assertThat(offeredModels(routedQuery("router/house").parameters(Parameter.TOOLS.bit())))
          .containsExactly("m1", "m2");
    }

    @Test
    @DisplayName(
        "drops unusable models and endpoints of the router's choice, with a note, and tries the"
            + " rest")
    void dropped() {
      var ignoring =
          routedQuery("router/house").preferences(preferences().ignore(List.of("a", "b")).build());
      RoutePlan models = plan(ignoring, f -> models("m1", "m2"));
      assertThat(tried(models)).containsExactly("m2@c");
      assertThat(models.trace())
          .contains(new TraceEntry.Note("house", "dropped the model m1, which may not be used"));
      RoutePlan endpoints =
          plan(ignoring, f -> new Selection.Endpoints(List.of("m2@a", "m2@c", "m2@c"), "fine"));
      assertThat(tried(endpoints)).containsExactly("m2@c");
      assertThat(endpoints.trace())
          .contains(
              new TraceEntry.Note("house", "dropped the endpoint m2@a, which may not be used"));
    }

    @Test
    @DisplayName(
        "fails when the router's whole choice is unusable or does not exist, or the router throws")
    void fails() {
      var ignoring =
          routedQuery("router/house").preferences(preferences().ignore(List.of("a", "b")).build());
      assertThatThrownBy(() -> plan(ignoring, f -> models("m1")))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("house"))
          .hasMessageContaining("chose nothing that may be used: [m1]");
      assertThatThrownBy(() -> plan(ignoring, f -> new Selection.Endpoints(List.of("m2@a"), "")))
          .isInstanceOf(PluginFailureException.class)
          .hasMessageContaining("m2@a");
      assertThatThrownBy(() -> plan(routedQuery("router/house"), f -> models("m2", "m9")))
          .isInstanceOf(PluginFailureException.class)
          .hasMessageContaining("chose a model that does not exist: m9");
      assertThatThrownBy(
              () ->
                  plan(
                      routedQuery("router/house"),
                      f -> new Selection.Endpoints(List.of("m2@a", "m2@b"), "")))
          .isInstanceOf(PluginFailureException.class)
          .hasMessageContaining("chose an endpoint that does not exist: m2@b");
      assertThatThrownBy(
              () ->
                  plan(
                      routedQuery("router/house"),
                      f -> {
                        throw new IllegalStateException("bug");
                      }))
          .isInstanceOf(PluginFailureException.class)
          .hasRootCauseMessage("bug");
    }

    @Test
    @DisplayName(
        "gives the router random numbers from the query's seed, the same when the query is planned"
            + " again")
    void chance() {
      List<Long> randomNumbers = randomNumbers(1);
      assertThat(randomNumbers).doesNotHaveDuplicates().isEqualTo(randomNumbers(1));
      assertThat(randomNumbers(2)).doesNotContainAnyElementsOf(randomNumbers);
      assertThat(randomNumbers(SplitMix64.derive(1, 0))).doesNotContainAnyElementsOf(randomNumbers);
    }

    private static List<Long> randomNumbers(long seed) {
      var randomNumbers = new ArrayList<Long>();
      plan(
          routedQuery("router/house").seed(seed),
          candidates -> {
            IntStream.range(0, 20).forEach(n -> randomNumbers.add(candidates.random(n)));
            return Selection.PASS;
          });
      return randomNumbers;
    }

    @Test
    @DisplayName("names the router when it was built against another version or throws an error")
    void errors() {
      for (Error error :
          List.of(
              new NoSuchMethodError("gone"), new AssertionError("no"), new StackOverflowError())) {
        assertThatThrownBy(
                () ->
                    plan(
                        routedQuery("router/house"),
                        f -> {
                          throw error;
                        }))
            .isInstanceOfSatisfying(
                PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("house"))
            .hasCause(error);
      }
    }

    @Test
    @DisplayName("is a refusal with the router's message when the router finds nothing")
    void none() {
      var plan =
          plan(
              routedQuery("router/house"),
              f -> new Selection.Refusal(ErrorCode.NO_ENDPOINTS, "No models match"));
      assertThat(plan)
          .isInstanceOfSatisfying(
              RoutePlan.NoRoute.class,
              none -> {
                assertThat(none.error().code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
                assertThat(none.error().message()).isEqualTo("No models match");
              });
    }

    @Test
    @DisplayName("is a refusal with 402 when only the budget is too small")
    void money() {
      var withoutBudget =
          routedQuery("router/house")
              .preferences(preferences().ignore(List.of("d")).build())
              .maxPromptTokens(1000)
              .budget(Usd.ZERO);
      var plan = plan(withoutBudget, RoutedTest::first);
      assertThat(((RoutePlan.NoRoute) plan).error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
    }

    @Test
    @DisplayName("is no refusal with 402 when a larger budget would not help the router to choose")
    void noMoney() {
      var withoutBudget = routedQuery("router/house").maxPromptTokens(1000).budget(Usd.ZERO);
      var plan =
          plan(
              withoutBudget.preferences(preferences().ignore(List.of("d")).build()),
              f -> new Selection.Refusal(ErrorCode.CONSTRAINT_FILTERED, "No models match"));
      assertThat(((RoutePlan.NoRoute) plan).error().message()).isEqualTo("No models match");
    }

    @Test
    @DisplayName(
        "is a refusal that names the caller's own list when that excludes the router's whole"
            + " choice")
    void unlisted() {
      var withoutFallbacks = preferences().order(List.of("nobody")).allowFallbacks(false).build();
      var plan = plan(routedQuery("router/house").preferences(withoutFallbacks), f -> models("m2"));
      assertThat(((RoutePlan.NoRoute) plan).error().message())
          .contains("m2 is served by a, c; provider.order lists nobody")
          .doesNotContain("m1");
    }

    @Test
    @DisplayName(
        "continues with the next model that the caller listed, and each candidate has its model's"
            + " index")
    void fallback() {
      var plan = plan(routedQuery("router/house", "m1"), f -> models("m2"));
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(PlannedAttempt::modelIndex)
          .containsExactly(0, 0, 1, 1);
    }

    @Test
    @DisplayName("tries an endpoint once that both the router and the caller named")
    void twice() {
      assertThat(tried(plan(routedQuery("router/house", "m1"), f -> models("m1", "m2"))))
          .hasSize(4)
          .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("tries only the router's first choice when fallbacks are forbidden")
    void noFallbacks() {
      var withoutFallbacks =
          routedQuery("router/house").preferences(preferences().allowFallbacks(false).build());
      assertThat(tried(plan(withoutFallbacks, f -> models("m2", "m1")))).hasSize(1);
    }

    @Test
    @DisplayName("shows the router prices and which model served the conversation")
    void routerInput() {
      plan(
          routedQuery("router/house").stickyEndpoints(List.of("m2@c")),
          candidates -> {
            assertThat(candidates.blendedPrice(0))
                .isEqualTo(CATALOG.endpoints().get(0).blendedPrice());
            assertThat(candidates.promptPicos(1)).isEqualTo(3_000_000);
            assertThat(candidates.promptPicos(2)).isZero();
            assertThat(candidates.throughput(0)).isEqualTo(-1);
            assertThat(candidates.isSticky(1)).isTrue();
            assertThat(candidates.isSticky(0)).isFalse();
            assertThat(candidates.endpoints(1))
                .extracting(one -> one.endpoint().id())
                .containsExactly("m2@a", "m2@c");
            assertThat(candidates.endpoints(0).getLast().promptPrice())
                .isEqualTo(new UnitPrice(2_000_000));
            assertThat(candidates.endpoints(0).getFirst().health())
                .isEqualTo(UsableEndpoint.Health.UNKNOWN);
            return Selection.PASS;
          });
    }
  }

  @Nested
  @DisplayName("that acts on every request")
  class Always {
    private RoutingQuery.Builder always(String... models) {
      return queryFor(models).routers(List.of(step(RouterStep.EVERY_REQUEST)));
    }

    @Test
    @DisplayName("can be reordered by the router, which sees only the requested models")
    void reorders() {
      var plan = plan(always("m1", "m2"), f -> models("m2", "m1"));
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(PlannedAttempt::modelIndex)
          .containsExactly(1, 1, 0, 0);
      assertThat(offeredModels(always("m1"))).containsExactly("m1");
      assertThatThrownBy(() -> plan(always("m1"), f -> models("m2")))
          .isInstanceOf(PluginFailureException.class);
    }

    @Test
    @DisplayName("can be narrowed to endpoints, which keep the index of their requested model")
    void narrows() {
      var plan =
          plan(always("m1", "m2"), f -> new Selection.Endpoints(List.of("m2@c", "m1@b"), "fine"));
      assertThat(tried(plan)).containsExactly("m2@c", "m1@b");
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(PlannedAttempt::modelIndex)
          .containsExactly(1, 0);
    }

    @Test
    @DisplayName("is unchanged when the router passes")
    void passes() {
      var query = queryFor("m1", "m2").seed(5);
      assertThat(tried(plan(always("m1", "m2").seed(5), f -> Selection.PASS)))
          .isEqualTo(tried(plan(query, f -> Selection.PASS)));
    }

    private GatewayError refused(Selection selection) {
      return ((RoutePlan.NoRoute) plan(always("m1", "m2"), f -> selection)).error();
    }

    @Test
    @DisplayName("is a refusal with the router's message when the router refuses")
    void vetoes() {
      var error = refused(new Selection.Refusal(ErrorCode.NO_ENDPOINTS, "Not on Sundays"));
      assertThat(error.code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
      assertThat(error.message()).isEqualTo("Not on Sundays");
      assertThat(refused(models()).message()).isEqualTo("because");
      assertThat(refused(new Selection.Endpoints(List.of(), "too far")).message())
          .isEqualTo("too far");
      assertThat(refused(new Selection.Refusal(ErrorCode.NO_ENDPOINTS, " ")).message())
          .isEqualTo(ErrorCode.NO_ENDPOINTS.message());
    }

    @Test
    @DisplayName(
        "does not ask the router when no endpoint is left, so the rules explain the refusal")
    void nothing() {
      var noProviders = always("m1").preferences(preferences().only(List.of()).build());
      var plan =
          plan(
              noProviders,
              f -> {
                throw new AssertionError("the router must not be asked");
              });
      assertThat(((RoutePlan.NoRoute) plan).error().message()).contains("provider.only");
    }
  }

  @Nested
  @DisplayName("beside models that the caller listed, all as one list,")
  class AsOneList {
    private RoutingQuery.Builder asOneList(String... models) {
      return routedQuery(models)
          .preferences(preferences().sort(new ProviderSort(Key.PRICE, Partition.NONE)).build());
    }

    @Test
    @DisplayName("compares the endpoints of the router's models with those of the others")
    void compared() {
      var plan = plan(asOneList("router/house", "m1"), f -> models("m2", "m3"));
      assertThat(tried(plan)).containsExactly("m3@d", "m1@a", "m1@b", "m2@a", "m2@c");
    }

    @Test
    @DisplayName("keeps the router's endpoints in the router's order")
    void fixed() {
      var chosen = new Selection.Endpoints(List.of("m2@c", "m3@d"), "fine");
      assertThat(tried(plan(asOneList("router/house", "m1", "m2"), f -> chosen)))
          .containsExactly("m2@c", "m3@d", "m1@a", "m1@b", "m2@a");
    }

    @Test
    @DisplayName("tries the cheapest models first when the router passes")
    void noOpinion() {
      var plan = plan(routedQuery("router/house"), f -> Selection.PASS);
      assertThat(tried(plan)).startsWith("m3@d").hasSize(5);
      assertThat(tried(plan).subList(1, 3)).containsExactlyInAnyOrder("m1@a", "m1@b");
    }
  }
}
