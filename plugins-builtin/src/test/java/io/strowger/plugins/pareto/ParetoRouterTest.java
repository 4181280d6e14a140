package io.strowger.plugins.pareto;

import static io.strowger.plugins.RouterCase.catalog;
import static io.strowger.plugins.RouterCase.chosen;
import static io.strowger.plugins.RouterCase.data;
import static io.strowger.plugins.RouterCase.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.plugins.RouterCase;
import io.strowger.plugins.RouterCase.PricedModel;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.Selection;
import io.strowger.tck.FakeCandidates;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The pareto router")
class ParetoRouterTest {
  private static final Catalog HIGH =
      catalog(coding("x", 92, "5"), coding("y", 90, "3"), coding("z", 88, "9"));
  private static final Catalog FRONTIER =
      catalog(
          coding("a", 95, "10"), coding("b", 90, "4"), coding("c", 85, "6"), coding("d", 70, "1"));
  private static final Catalog TIERS =
      catalog(
          coding("high", 85, "9"),
          coding("medium", 84.9, "5"),
          coding("medium-too", 70, "6"),
          coding("low", 69.9, "2"),
          coding("low-too", 50, "3"),
          coding("none", 49.9, "0"),
          new PricedModel("acme/unscored", -1, 99, "0"));

  private static PricedModel coding(String name, double score, String price) {
    return new PricedModel("acme/" + name, score, -1, price);
  }

  private static InferenceRequest request(String model, String members) {
    return Given.request(model, "hello").toBuilder()
        .plugins(List.of(entry("pareto-router", members)))
        .build();
  }

  private static Selection select(
      Catalog catalog, String members, UnaryOperator<FakeCandidates> view) {
    return new RouterCase(catalog, new ParetoRouterProvider())
        .select(request("router/pareto-code", members), view);
  }

  private static Selection select(Catalog catalog, String members) {
    return select(catalog, members, view -> view);
  }

  private static void assertRefused(Selection selection, String message) {
    assertThat(selection).isEqualTo(new Selection.Refusal(ErrorCode.CONSTRAINT_FILTERED, message));
    assertThat(ErrorCode.CONSTRAINT_FILTERED.status()).isEqualTo(404);
  }

  @Nested
  @DisplayName("by tiers")
  class Tiers {
    @Proves({"plugins.pareto.tier-mode", "plugins.pareto.PA-1"})
    @Test
    @DisplayName("PA-1: chooses the cheapest model of the tier, with the next two as fallbacks")
    void pa1() {
      Selection selection = select(HIGH, "'min_coding_score':0.8");
      assertThat(chosen(selection)).containsExactly("y", "x", "z");
      assertThat(data(selection)).isEqualTo(Json.object().put("tier", "high").build());
    }

    @Proves("plugins.pareto.PA-2")
    @Test
    @DisplayName("PA-2: chooses the fastest model of the tier for :nitro, in upper or lower case")
    void pa2() {
      UnaryOperator<FakeCandidates> speeds =
          view -> view.throughput("acme/x", 60).throughput("acme/y", 40).throughput("acme/z", 90);
      var router = new RouterCase(HIGH, new ParetoRouterProvider());
      assertThat(chosen(router.select(request("router/pareto-code:nitro", ""), speeds)))
          .containsExactly("z", "x", "y");
      assertThat(chosen(router.select(request("Router/Pareto-Code:floor:NITRO", ""), speeds)))
          .containsExactly("z", "x", "y");
      assertThat(chosen(router.select(request("router/pareto-code:floor", ""), speeds)))
          .containsExactly("y", "x", "z");
    }

    @Test
    @DisplayName("puts models of unknown speed last, the cheaper of them first")
    void unknownSpeed() {
      var router = new RouterCase(HIGH, new ParetoRouterProvider());
      assertThat(
              chosen(
                  router.select(
                      request("router/pareto-code:nitro", ""),
                      view -> view.throughput("acme/z", 1))))
          .containsExactly("z", "y", "x");
    }

    @Proves({"plugin.pareto-router", "plugins.pareto.tier-mode", "plugins.pareto.PA-5"})
    @ParameterizedTest(name = "PA-5: {0} means {1}")
    @CsvSource({"0.66, high", "0.6599, medium", "0.33, medium", "0.3299, low", "0, low", "1, high"})
    void pa5(String score, String tier) {
      Selection selection = select(TIERS, "'min_coding_score':" + score);
      assertThat(data(selection)).isEqualTo(Json.object().put("tier", tier).build());
      assertThat(chosen(selection)).allMatch(name -> name.startsWith(tier)).isNotEmpty();
    }

    @Proves("plugins.pareto.min_coding_score")
    @Test
    @DisplayName("uses the high tier by default, and tiers begin at their configured scores")
    void bands() {
      assertThat(chosen(select(TIERS, ""))).containsExactly("high");
      assertThat(chosen(select(TIERS, "'min_coding_score':0.5")))
          .containsExactly("medium", "medium-too");
      assertThat(chosen(select(TIERS, "'min_coding_score':0"))).containsExactly("low", "low-too");
      var withOtherTiers =
          new RouterCase(TIERS, new ParetoRouterProvider(new CodingTiers(86, 85, 50)));
      assertThat(
              chosen(
                  withOtherTiers.select(request("router/pareto-code", "'min_coding_score':0.5"))))
          .containsExactly("high");
    }

    @Proves({"plugins.pareto.tier-mode", "open.52"})
    @ParameterizedTest(name = "{0} without {1} falls to {2}")
    @CsvSource({
      "0.9, high, medium",
      "0.9, high medium medium-too, low",
      "0.5, medium medium-too, high",
      "0.5, high medium medium-too, low",
      "0.1, low low-too, medium",
      "0.1, low low-too medium medium-too, high"
    })
    void neighbours(String score, String missing, String tier) {
      Selection selection =
          select(
              TIERS,
              "'min_coding_score':" + score,
              view -> {
                for (String name : missing.split(" ")) {
                  view = view.without("acme/" + name);
                }
                return view;
              });
      assertThat(chosen(selection)).first().asString().startsWith(tier);
      assertThat(data(selection).text("effective_tier")).isEqualTo(tier);
    }

    @Test
    @DisplayName("refuses when no coding model of any tier may be used")
    void none() {
      assertRefused(
          select(TIERS, "", view -> view.only("acme/none", "acme/unscored")),
          "No coding model meets the request's constraints");
    }

    @Proves("plugins.pareto.tier-mode")
    @Test
    @DisplayName("orders models of equal price by id and never chooses more than three")
    void ties() {
      Catalog equal =
          catalog(
              coding("e", 90, "1"),
              coding("c", 91, "1"),
              coding("d", 92, "1"),
              coding("b", 93, "2"));
      assertThat(chosen(select(equal, ""))).containsExactly("c", "d", "e");
    }

    @Test
    @DisplayName("compares the prices of the endpoints that may be used, not the list prices")
    void usablePrices() {
      FakeCandidates all = FakeCandidates.of(HIGH);
      CodingModels models = CodingModels.of(HIGH, CodingTiers.DEFAULT);
      Selection selection =
          new TierRouter(models, 0).select(new RepricedCandidates(all, 1, 20_000_000));
      assertThat(chosen(selection)).containsExactly("x", "z", "y");
    }

    @Test
    @DisplayName("takes account of a discount that applies only at some hours")
    void discount() {
      var nightly = new Pricing.Override(null, 0, 600, Map.of(Price.PROMPT, new UnitPrice(1)));
      Pricing pricing =
          Pricing.builder().set(Price.PROMPT, new UnitPrice(50_000_000)).override(nightly).build();
      var builder = Catalog.builder("test");
      for (ModelInfo model : HIGH.models()) {
        builder.add(model, model.endpoints());
      }
      builder.add(
          ModelInfo.builder("acme/owl").codingScore(0.9).build(),
          List.of(Given.endpoint("p", "acme/owl", "1").toBuilder().pricing(pricing).build()));
      Catalog catalog = builder.build();
      int owl = catalog.models().size() - 1;
      CodingModels models = CodingModels.of(catalog, CodingTiers.DEFAULT);
      FakeCandidates day = FakeCandidates.of(catalog);
      assertThat(chosen(new TierRouter(models, 0).select(day))).containsExactly("y", "x", "z");
      assertThat(chosen(new TierRouter(models, 0).select(new RepricedCandidates(day, owl, 1))))
          .containsExactly("owl", "y", "x");
    }

    @Proves("routing.sticky.value")
    @Test
    @DisplayName("puts the model of the sticky endpoint first if it is among the three")
    void sticky() {
      assertThat(chosen(select(HIGH, "", view -> view.sticky("acme/x"))))
          .containsExactly("x", "y", "z");
      assertThat(chosen(select(HIGH, "", view -> view.sticky("acme/z"))))
          .containsExactly("z", "y", "x");
      Catalog four =
          catalog(
              coding("a", 90, "1"),
              coding("b", 90, "2"),
              coding("c", 90, "3"),
              coding("d", 90, "4"));
      assertThat(chosen(select(four, "", view -> view.sticky("acme/d"))))
          .containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "'max_price':5", "'min_coding_score':0.1"})
    @DisplayName("says what is missing when no model has a coding score")
    void noScores(String members) {
      Catalog catalog =
          catalog(new PricedModel("acme/a", -1, 90, "1"), new PricedModel("acme/b", -1, -1, "2"));
      assertRefused(
          select(catalog, members),
          "No model of the configuration has a coding_score, by which coding models are chosen");
    }

    @Test
    @DisplayName("never chooses a hidden model")
    void hidden() {
      Catalog catalog =
          Catalog.builder("test")
              .add(
                  ModelInfo.builder("acme/secret").codingScore(0.99).isHidden(true).build(),
                  List.of(Given.endpoint("p", "acme/secret", "0")))
              .build();
      assertRefused(select(catalog, ""), "No coding model meets the request's constraints");
    }
  }

  @Nested
  @DisplayName("by price")
  class ByPrice {
    @Proves({"plugins.pareto.price-mode", "plugins.pareto.PA-3", "open.14"})
    @Test
    @DisplayName(
        "PA-3: chooses the best model of the frontier within the price, then cheaper ones of it")
    void pa3() {
      Selection selection = select(FRONTIER, "'max_price':5,'min_coding_score':1");
      assertThat(chosen(selection)).containsExactly("b", "d");
    }

    @Proves("plugins.pareto.price-mode")
    @Test
    @DisplayName("chooses models off the frontier last, within the price")
    void offFrontier() {
      assertThat(chosen(select(FRONTIER, "'max_price':6"))).containsExactly("b", "d", "c");
      assertThat(chosen(select(FRONTIER, "'max_price':5.999999"))).containsExactly("b", "d");
      assertThat(chosen(select(FRONTIER, "'max_price':10"))).containsExactly("a", "b", "d");
      assertThat(chosen(select(FRONTIER, "'max_price':1e400"))).containsExactly("a", "b", "d");
    }

    @Test
    @DisplayName("computes the frontier from the models that may be used")
    void usableFrontier() {
      assertThat(chosen(select(FRONTIER, "'max_price':7", view -> view.without("acme/b"))))
          .containsExactly("c", "d");
    }

    @Proves({
      "plugin.pareto-router",
      "plugins.pareto.max_price",
      "plugins.pareto.price-mode",
      "plugins.pareto.PA-4"
    })
    @Test
    @DisplayName("PA-4: refuses when no model is that cheap")
    void pa4() {
      assertRefused(
          select(FRONTIER, "'max_price':0.5"),
          "No coding model that meets the request's constraints costs at most $0.5 per million"
              + " input tokens");
      assertRefused(
          select(FRONTIER, "'max_price':1e-999999"),
          "No coding model that meets the request's constraints costs at most $0 per million"
              + " input tokens");
    }

    @Proves("plugins.pareto.PA-6")
    @Test
    @DisplayName("PA-6: chooses a free model when the maximum price is 0")
    void pa6() {
      Catalog catalog = catalog(coding("paid", 95, "0.000001"), coding("gift", 60, "0"));
      assertThat(chosen(select(catalog, "'max_price':0"))).containsExactly("gift");
      assertThat(chosen(select(catalog, "'max_price':0.000001"))).containsExactly("paid", "gift");
    }

    @Proves("open.53")
    @Test
    @DisplayName(
        "drops a model from the frontier if another is better in one respect and worse in none")
    void dominance() {
      Catalog catalog =
          catalog(
              coding("b-same", 90, "4"),
              coding("a-same", 90, "4"),
              coding("dearer", 90, "5"),
              coding("worse", 80, "4"),
              coding("cheap", 60, "1"));
      assertThat(chosen(select(catalog, "'max_price':9")))
          .containsExactly("a-same", "b-same", "cheap");
      assertThat(chosen(select(catalog, "'max_price':9", view -> view.without("acme/a-same"))))
          .containsExactly("b-same", "cheap", "dearer");
    }

    @Proves({"plugin.pareto-router", "plugins.pareto.price_source"})
    @Test
    @DisplayName("uses the list price for the average price, since that is unknown")
    void weightedAverage() {
      Selection selection = select(FRONTIER, "'max_price':5,'price_source':'weighted_avg'");
      assertThat(chosen(selection)).containsExactly("b", "d");
      assertThat(data(selection).text("price_source")).isEqualTo("prompt");
    }

    @Test
    @DisplayName("puts the model of the sticky endpoint first if it is among the three")
    void sticky() {
      assertThat(chosen(select(FRONTIER, "'max_price':10", view -> view.sticky("acme/d"))))
          .containsExactly("d", "a", "b");
    }
  }

  @Proves("open.52")
  @ParameterizedTest(name = "refuses tiers {0}, {1}, {2}")
  @CsvSource({"101, 70, 50", "85, 85, 50", "85, 70, 70", "85, 70, -1"})
  void badTiers(int high, int medium, int low) {
    assertThatThrownBy(() -> new CodingTiers(high, medium, low))
        .hasMessageContaining("must have 0 <= low < medium < high <= 100 as tiers");
  }

  @Proves("open.52")
  @Test
  @DisplayName("is configured by its settings, with the default tiers for those that are missing")
  void settings() {
    var withDefaults = new ParetoRouterProvider();
    var configured =
        withDefaults.with(new PluginConfig(Map.of(ParetoRouterProvider.HIGH_TIER, 86L)));
    InferenceRequest request = request("router/pareto-code", "'min_coding_score':0.5");
    assertThat(chosen(new RouterCase(TIERS, configured).select(request)))
        .containsExactly("medium", "medium-too", "high");
    assertThat(chosen(new RouterCase(TIERS, withDefaults).select(request)))
        .containsExactly("medium", "medium-too");
    assertThatThrownBy(
            () -> withDefaults.with(new PluginConfig(Map.of(ParetoRouterProvider.HIGH_TIER, 70L))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("low is 50, medium 70, high 70");
  }
}
