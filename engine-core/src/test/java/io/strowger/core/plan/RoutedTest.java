package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.at;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.endpoint;
import static io.strowger.core.plan.PlanWords.perMillion;
import static io.strowger.core.plan.PlanWords.prefer;
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
          at("d", "m3").pricing(perMillion("0", "0")).parameters(0).build());

  private static RoutePlan plan(
      RoutingQuery.Builder query, Function<Candidates, Selection> choice) {
    RouterPlugin router = choice::apply;
    return new Planner(CATALOG, step -> step.plugin().equals("house") ? router : null)
        .plan(query.build());
  }

  private static RoutingQuery.Builder routed(String... models) {
    return ask(models).routers(List.of(step(0)));
  }

  private static RouterStep step(int model) {
    return new RouterStep("house", "1", model, Json.Obj.EMPTY, Json.Obj.EMPTY);
  }

  private static Selection models(String... ids) {
    return new Selection.Models(List.of(ids), "because");
  }

  /** Chooses one model of those that may be used. */
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

  private static List<String> offered(RoutingQuery.Builder query) {
    var seen = new ArrayList<String>();
    plan(
        query,
        candidates -> {
          IntStream.range(0, candidates.size())
              .filter(candidates::isUsable)
              .forEach(i -> seen.add(candidates.model(i).id()));
          return Selection.PASS;
        });
    return seen;
  }

  @Nested
  @DisplayName("that stands for the requested model")
  class ForASlug {
    @Test
    @DisplayName("tries its models in its order, each with its endpoints as always")
    void inOrder() {
      var plan = plan(routed("router/house"), candidates -> models("m2", "m1"));
      assertThat(tried(plan)).hasSize(4);
      assertThat(tried(plan).subList(0, 2)).containsExactlyInAnyOrder("m2@a", "m2@c");
      assertThat(((RoutePlan.Attempts) plan).candidates()).allMatch(c -> c.modelIndex() == 0);
      assertThat(plan.trace())
          .contains(new TraceEntry.Routed("house", "router/house", "because", Json.Obj.EMPTY));
    }

    @Test
    @DisplayName("tries its endpoints exactly in its order")
    void endpoints() {
      var order = List.of("m2@c", "m1@b", "m2@a");
      var sorted =
          routed("router/house")
              .preferences(prefer().sort(new ProviderSort(Key.PRICE, Partition.MODEL)).build());
      assertThat(tried(plan(sorted, f -> new Selection.Endpoints(order, "fine")))).isEqualTo(order);
    }

    @Test
    @DisplayName("never offers it what a rule drops")
    void offers() {
      assertThat(offered(routed("router/house"))).containsExactly("m1", "m2", "m3");
      assertThat(
              offered(
                  routed("router/house").preferences(prefer().ignore(List.of("a", "b")).build())))
          .containsExactly("m2", "m3");
    }

    @Test
    @DisplayName("offers it only what can do what is asked")
    void abilities() {
      assertThat(offered(routed("router/house").parameters(Parameter.TOOLS.bit())))
          .containsExactly("m1", "m2");
    }

    @Test
    @DisplayName(
        "drops what it chose of what may not be used, with a note, and goes on with the rest")
    void dropped() {
      var ignoring = routed("router/house").preferences(prefer().ignore(List.of("a", "b")).build());
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
        "fails when nothing it chose may be used, when it does not exist, and when it throws")
    void fails() {
      var ignoring = routed("router/house").preferences(prefer().ignore(List.of("a", "b")).build());
      assertThatThrownBy(() -> plan(ignoring, f -> models("m1")))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("house"))
          .hasMessageContaining("chose nothing that may be used: [m1]");
      assertThatThrownBy(() -> plan(ignoring, f -> new Selection.Endpoints(List.of("m2@a"), "")))
          .isInstanceOf(PluginFailureException.class)
          .hasMessageContaining("m2@a");
      assertThatThrownBy(() -> plan(routed("router/house"), f -> models("m2", "m9")))
          .isInstanceOf(PluginFailureException.class)
          .hasMessageContaining("chose a model that does not exist: m9");
      assertThatThrownBy(
              () ->
                  plan(
                      routed("router/house"),
                      f -> new Selection.Endpoints(List.of("m2@a", "m2@b"), "")))
          .isInstanceOf(PluginFailureException.class)
          .hasMessageContaining("chose an endpoint that does not exist: m2@b");
      assertThatThrownBy(
              () ->
                  plan(
                      routed("router/house"),
                      f -> {
                        throw new IllegalStateException("bug");
                      }))
          .isInstanceOf(PluginFailureException.class)
          .hasRootCauseMessage("bug");
    }

    @Test
    @DisplayName("has chance of the query's own: the same when it is decided again")
    void chance() {
      List<Long> numbers = numbers(1);
      assertThat(numbers).doesNotHaveDuplicates().isEqualTo(numbers(1));
      assertThat(numbers(2)).doesNotContainAnyElementsOf(numbers);
      assertThat(numbers(SplitMix64.derive(1, 0))).doesNotContainAnyElementsOf(numbers);
    }

    private static List<Long> numbers(long seed) {
      var numbers = new ArrayList<Long>();
      plan(
          routed("router/house").seed(seed),
          candidates -> {
            IntStream.range(0, 20).forEach(n -> numbers.add(candidates.random(n)));
            return Selection.PASS;
          });
      return numbers;
    }

    @Test
    @DisplayName("is named when it was built against another version, or never comes back")
    void errors() {
      for (Error error :
          List.of(
              new NoSuchMethodError("gone"), new AssertionError("no"), new StackOverflowError())) {
        assertThatThrownBy(
                () ->
                    plan(
                        routed("router/house"),
                        f -> {
                          throw error;
                        }))
            .isInstanceOfSatisfying(
                PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("house"))
            .hasCause(error);
      }
    }

    @Test
    @DisplayName("says what it says when it finds nothing")
    void none() {
      var plan =
          plan(
              routed("router/house"),
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
    @DisplayName("asks for money when only money is missing")
    void money() {
      var poor =
          routed("router/house")
              .preferences(prefer().ignore(List.of("d")).build())
              .maxPromptTokens(1000)
              .budget(Usd.ZERO);
      var plan = plan(poor, RoutedTest::first);
      assertThat(((RoutePlan.NoRoute) plan).error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
    }

    @Test
    @DisplayName("asks for no money that would not help it to choose")
    void noMoney() {
      var poor = routed("router/house").maxPromptTokens(1000).budget(Usd.ZERO);
      var plan =
          plan(
              poor.preferences(prefer().ignore(List.of("d")).build()),
              f -> new Selection.Refusal(ErrorCode.CONSTRAINT_FILTERED, "No models match"));
      assertThat(((RoutePlan.NoRoute) plan).error().message()).isEqualTo("No models match");
    }

    @Test
    @DisplayName("is told of the caller's own list when that leaves nothing of its choice")
    void unlisted() {
      var strict = prefer().order(List.of("nobody")).allowFallbacks(false).build();
      var plan = plan(routed("router/house").preferences(strict), f -> models("m2"));
      assertThat(((RoutePlan.NoRoute) plan).error().message())
          .contains("m2 is served by a, c; provider.order lists nobody")
          .doesNotContain("m1");
    }

    @Test
    @DisplayName("goes on with the next model the caller listed, which says where it came from")
    void fallback() {
      var plan = plan(routed("router/house", "m1"), f -> models("m2"));
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(PlannedAttempt::modelIndex)
          .containsExactly(0, 0, 1, 1);
    }

    @Test
    @DisplayName("tries no endpoint twice that both the router and the caller named")
    void twice() {
      assertThat(tried(plan(routed("router/house", "m1"), f -> models("m1", "m2"))))
          .hasSize(4)
          .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("tries only its first choice without fallbacks")
    void noFallbacks() {
      var strict = routed("router/house").preferences(prefer().allowFallbacks(false).build());
      assertThat(tried(plan(strict, f -> models("m2", "m1")))).hasSize(1);
    }

    @Test
    @DisplayName("shows it prices and which model served the conversation")
    void figures() {
      plan(
          routed("router/house").stickyEndpoints(List.of("m2@c")),
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
      return ask(models).routers(List.of(step(RouterStep.EVERY_REQUEST)));
    }

    @Test
    @DisplayName("reorders what was asked for, and sees nothing else")
    void reorders() {
      var plan = plan(always("m1", "m2"), f -> models("m2", "m1"));
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(PlannedAttempt::modelIndex)
          .containsExactly(1, 1, 0, 0);
      assertThat(offered(always("m1"))).containsExactly("m1");
      assertThatThrownBy(() -> plan(always("m1"), f -> models("m2")))
          .isInstanceOf(PluginFailureException.class);
    }

    @Test
    @DisplayName("narrows to endpoints, which keep the place of the model they were asked for as")
    void narrows() {
      var plan =
          plan(always("m1", "m2"), f -> new Selection.Endpoints(List.of("m2@c", "m1@b"), "fine"));
      assertThat(tried(plan)).containsExactly("m2@c", "m1@b");
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(PlannedAttempt::modelIndex)
          .containsExactly(1, 0);
    }

    @Test
    @DisplayName("changes nothing when it has no opinion")
    void passes() {
      var query = ask("m1", "m2").seed(5);
      assertThat(tried(plan(always("m1", "m2").seed(5), f -> Selection.PASS)))
          .isEqualTo(tried(plan(query, f -> Selection.PASS)));
    }

    private GatewayError refused(Selection selection) {
      return ((RoutePlan.NoRoute) plan(always("m1", "m2"), f -> selection)).error();
    }

    @Test
    @DisplayName("is what the caller reads when it refuses what was asked for")
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
    @DisplayName("is not asked about nothing, so the rules say why there is nothing")
    void nothing() {
      var nobody = always("m1").preferences(prefer().only(List.of()).build());
      var plan =
          plan(
              nobody,
              f -> {
                throw new AssertionError("was asked");
              });
      assertThat(((RoutePlan.NoRoute) plan).error().message()).contains("provider.only");
    }
  }

  @Nested
  @DisplayName("beside models the caller listed, all as one list,")
  class AsOneList {
    private RoutingQuery.Builder together(String... models) {
      return routed(models)
          .preferences(prefer().sort(new ProviderSort(Key.PRICE, Partition.NONE)).build());
    }

    @Test
    @DisplayName("has the endpoints of its models compared with theirs")
    void compared() {
      var plan = plan(together("router/house", "m1"), f -> models("m2", "m3"));
      assertThat(tried(plan)).containsExactly("m3@d", "m1@a", "m1@b", "m2@a", "m2@c");
    }

    @Test
    @DisplayName("keeps its endpoints in the order it gave them")
    void fixed() {
      var chosen = new Selection.Endpoints(List.of("m2@c", "m3@d"), "fine");
      assertThat(tried(plan(together("router/house", "m1", "m2"), f -> chosen)))
          .containsExactly("m2@c", "m3@d", "m1@a", "m1@b", "m2@a");
    }

    @Test
    @DisplayName("gives the cheapest models first when it has no opinion")
    void noOpinion() {
      var plan = plan(routed("router/house"), f -> Selection.PASS);
      assertThat(tried(plan)).startsWith("m3@d").hasSize(5);
      assertThat(tried(plan).subList(1, 3)).containsExactlyInAnyOrder("m1@a", "m1@b");
    }
  }
}
