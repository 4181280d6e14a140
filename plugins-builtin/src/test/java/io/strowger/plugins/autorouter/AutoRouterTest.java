package io.strowger.plugins.autorouter;

import static io.strowger.plugins.RouterCase.catalog;
import static io.strowger.plugins.RouterCase.chosen;
import static io.strowger.plugins.RouterCase.data;
import static io.strowger.plugins.RouterCase.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.plugins.RouterCase;
import io.strowger.plugins.RouterCase.PricedModel;
import io.strowger.plugins.tasks.TaskClassifier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.plugin.Selection;
import io.strowger.tck.FakeCandidates;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The automatic router")
class AutoRouterTest {
  static final TaskClassifier MATH = request -> "math";
  private static final TaskClassifier CODE = request -> "code:debugging";

  /** Ten models: from m0 to m9, price and intelligence rise, and the coding score falls. */
  static final Catalog TEN = ten();

  private static Catalog ten() {
    var models = new ArrayList<PricedModel>();
    for (int i = 0; i < 10; i++) {
      models.add(new PricedModel("acme/m" + i, 90 - i, 50 + i, i + 1 + "." + i));
    }
    return catalog(models.toArray(PricedModel[]::new));
  }

  static RouterCase routers(Catalog catalog, TaskClassifier classifier) {
    return new RouterCase(
        catalog, new AutoRouterProvider(classifier), new AutoBetaRouterProvider(classifier));
  }

  static InferenceRequest request(String slug, String id, String members) {
    return Given.request(slug, "hello").toBuilder().plugins(List.of(entry(id, members))).build();
  }

  private static Selection auto(String members, UnaryOperator<FakeCandidates> view) {
    return routers(TEN, MATH).select(request("router/auto", "auto-router", members), view);
  }

  private static Selection auto(String members) {
    return auto(members, view -> view);
  }

  private static void assertRefused(Selection selection) {
    assertThat(selection)
        .isEqualTo(
            new Selection.Refusal(
                ErrorCode.CONSTRAINT_FILTERED,
                "No models match your request and model restrictions"));
    assertThat(ErrorCode.CONSTRAINT_FILTERED.status()).isEqualTo(404);
  }

  @Nested
  @DisplayName("within restrictions")
  class Restrictions {
    private final Catalog vendors =
        catalog(
            new PricedModel("north/large", 50, 99, "1"),
            new PricedModel("north/small", 50, 80, "1"),
            new PricedModel("south/large", 50, 90, "1"),
            new PricedModel("south/large:free", 50, 70, "1"),
            new PricedModel("west/large", 50, 95, "1"));

    private List<String> chosenOf(String members) {
      var request = request("router/auto", "auto-router", "'cost_quality_tradeoff':0," + members);
      return ((Selection.Models) routers(vendors, MATH).select(request)).ids();
    }

    @Proves({
      "plugin.auto-router",
      "plugins.auto.allowed_models",
      "plugins.auto.excluded_models",
      "plugins.auto.4",
      "plugins.auto.AR-1"
    })
    @Test
    @DisplayName("AR-1: never chooses an excluded model, even if it is allowed")
    void ar1() {
      assertThat(
              chosenOf("'allowed_models':['north/*','south/*'],'excluded_models':['north/large']"))
          .containsExactly("south/large", "north/small", "south/large:free");
    }

    @Proves("open.51")
    @Test
    @DisplayName("matches patterns in upper and lower case, also for a model with a variant")
    void patterns() {
      assertThat(chosenOf("'allowed_models':['*/LARGE'],'excluded_models':['w*']"))
          .containsExactly("north/large", "south/large", "south/large:free");
    }

    @Test
    @DisplayName("is not restricted by an empty list")
    void empty() {
      assertThat(chosenOf("'allowed_models':[],'excluded_models':[]")).hasSize(4);
    }

    @Proves({"plugins.auto.6", "plugins.auto.AR-2"})
    @Test
    @DisplayName("AR-2: refuses when no existing model is allowed")
    void ar2() {
      assertRefused(auto("'allowed_models':['nobody/*']"));
      assertRefused(auto("'excluded_models':['*']"));
      assertRefused(auto("", view -> view.only()));
    }
  }

  @Nested
  @DisplayName("within costs")
  class Costs {
    @Proves({"plugins.auto.cost_tier", "plugins.auto.3", "plugins.auto.AR-3", "open.46"})
    @ParameterizedTest(name = "AR-3: the tier {0} has {1}")
    @CsvSource({
      "low, m1 m0",
      "medium, m3 m2",
      "high, m5 m4",
      "xhigh, m7 m6",
      "max, m9 m8",
    })
    void ar3(String tier, String models) {
      Selection selection = auto("'cost_tier':'" + tier + "'");
      assertThat(chosen(selection)).containsExactly(models.split(" "));
      assertThat(data(selection).has("effective_tier")).isFalse();
    }

    @Proves({"plugin.auto-router", "plugins.auto.3", "plugins.auto.AR-4"})
    @Test
    @DisplayName("AR-4: the tier wins over the trade-off")
    void ar4() {
      assertThat(chosen(auto("'cost_tier':'max','cost_quality_tradeoff':10")))
          .containsExactly("m9", "m8");
    }

    @Proves({
      "plugin.auto-router",
      "version.3",
      "plugins.auto.cost_quality_tradeoff",
      "plugins.auto.3",
      "open.47"
    })
    @ParameterizedTest(name = "a trade-off of {0} allows up to {1}")
    @CsvSource({"0, m8", "1, m7", "5, m4", "9, m1", "10, m0"})
    void tradeoff(int tradeoff, String best) {
      assertThat(chosen(auto("'cost_quality_tradeoff':" + tradeoff)))
          .hasSizeLessThanOrEqualTo(4)
          .first()
          .isEqualTo(best);
    }

    @Proves({"limit.cost_quality_tradeoff", "plugins.auto.cost_quality_tradeoff"})
    @Test
    @DisplayName("uses a trade-off of 9 by default")
    void standard() {
      assertThat(auto("")).isEqualTo(auto("'cost_quality_tradeoff':9"));
      assertThat(chosen(auto(""))).containsExactly("m1", "m0");
    }

    @Proves("open.47")
    @Test
    @DisplayName("chooses at least the cheapest model that may be used")
    void atLeastOne() {
      Selection selection = auto("", view -> view.only("acme/m4", "acme/m6", "acme/m9"));
      assertThat(chosen(selection)).containsExactly("m4");
      assertThat(((Selection.Models) selection).reason())
          .isEqualTo("the cheapest, because none that may be used is within cost percentile 18");
    }

    @Proves("open.46")
    @ParameterizedTest(name = "the tier {0} without {1} is {2}")
    @CsvSource({
      "low, m0 m1, medium",
      "high, m4 m5, medium",
      "high, m2 m3 m4 m5, xhigh",
      "max, m2 m3 m4 m5 m6 m7 m8 m9, low",
    })
    void nearest(String tier, String missing, String effective) {
      Selection selection =
          auto(
              "'cost_tier':'" + tier + "'",
              view -> {
                for (String model : missing.split(" ")) {
                  view = view.without("acme/" + model);
                }
                return view;
              });
      assertThat(data(selection).text("effective_tier")).isEqualTo(effective);
      assertThat(((Selection.Models) selection).reason())
          .endsWith(
              ", in cost tier "
                  + effective
                  + ", the nearest to "
                  + tier
                  + " with models that may be used");
    }

    @Proves("open.46")
    @ParameterizedTest
    @ValueSource(strings = {"low", "high", "max"})
    @DisplayName("finds the only model of a catalog in every tier")
    void single(String tier) {
      var one = routers(catalog(new PricedModel("acme/only", 1, 1, "7")), MATH);
      Selection selection =
          one.select(request("router/auto", "auto-router", "'cost_tier':'" + tier + "'"));
      assertThat(chosen(selection)).containsExactly("only");
      assertThat(data(selection).has("effective_tier")).isFalse();
    }

    @Proves("open.46")
    @Test
    @DisplayName("puts models of the same price into one tier, whatever their names")
    void equal() {
      var equal =
          routers(
              catalog(
                  new PricedModel("acme/free-bad", 10, 1, "1"),
                  new PricedModel("acme/free-good", 90, 1, "1"),
                  new PricedModel("acme/m1", 50, 1, "1"),
                  new PricedModel("acme/m2", 60, 1, "1"),
                  new PricedModel("acme/dear", 95, 1, "9")),
              MATH);
      Selection medium =
          equal.select(request("router/auto", "auto-router", "'cost_tier':'medium'"));
      assertThat(chosen(medium)).containsExactly("free-good", "m2", "m1", "free-bad");
      assertThat(data(medium).text("effective_tier")).isEqualTo("low");
      assertThat(chosen(equal.select(request("router/auto", "auto-router", "'cost_tier':'max'"))))
          .containsExactly("dear");
      var same =
          routers(
              catalog(new PricedModel("acme/a", 1, 1, "2"), new PricedModel("acme/b", 2, 1, "2")),
              MATH);
      assertThat(chosen(same.select(request("router/auto", "auto-router", "'cost_tier':'max'"))))
          .containsExactly("b", "a");
    }

    @Proves({"plugins.auto.3", "open.48"})
    @Test
    @DisplayName(
        "computes tiers from the whole catalog, not from the models that the request may use")
    void market() {
      Selection selection =
          auto("'cost_tier':'low'", view -> view.only("acme/m1", "acme/m8", "acme/m9"));
      assertThat(chosen(selection)).containsExactly("m1");
    }
  }

  @Nested
  @DisplayName("by task")
  class Tasks {
    @Proves("plugins.auto.2")
    @Test
    @DisplayName("ranks by intelligence, or by coding if the task is code")
    void ranking() {
      Selection math = auto("'cost_quality_tradeoff':5");
      assertThat(chosen(math)).containsExactly("m4", "m3", "m2", "m1");
      assertThat(data(math).text("task_type")).isEqualTo("math");
      Selection code =
          routers(TEN, CODE)
              .select(request("router/auto", "auto-router", "'cost_quality_tradeoff':5"));
      assertThat(chosen(code)).containsExactly("m0", "m1", "m2", "m3");
      assertThat(data(code).text("task_type")).isEqualTo("code:debugging");
    }

    @Proves({"plugins.auto.5", "plugins.auto.AR-6", "open.50"})
    @Test
    @DisplayName("AR-6: ranks without a task type when the classifier fails")
    void ar6() {
      TaskClassifier broken =
          request -> {
            throw new IllegalStateException("broken");
          };
      Selection selection = routers(TEN, broken).select(request("router/auto", "auto-router", ""));
      assertThat(chosen(selection)).containsExactly("m1", "m0");
      assertThat(data(selection)).isEqualTo(Json.Obj.EMPTY);
      assertThat(((Selection.Models) selection).reason())
          .isEqualTo(
              "ranked for any task because the classifier failed, within cost percentile 18");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Hello World", "code:", "a:b:c", "what is the secret"})
    @DisplayName("does not record a malformed label")
    void notLabels(String label) {
      Selection selection =
          routers(TEN, request -> label).select(request("router/auto", "auto-router", ""));
      assertThat(data(selection)).isEqualTo(Json.Obj.EMPTY);
    }

    @Test
    @DisplayName(
        "ranks models without the score of the task last, and leaves out models without any score")
    void unscored() {
      Catalog catalog =
          catalog(
              new PricedModel("acme/none", -1, -1, "1"),
              new PricedModel("acme/dear", 99, 99, "9"), // above every ceiling
              new PricedModel("acme/coder", 90, -1, "1"),
              new PricedModel("acme/thinker", -1, 10, "1"));
      assertThat(chosen(routers(catalog, MATH).select(all()))).containsExactly("thinker", "coder");
      assertThat(chosen(routers(catalog, CODE).select(all()))).containsExactly("coder", "thinker");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'cost_tier':'max'", "'cost_tier':'low'", ""})
    @DisplayName(
        "chooses a model without any score if none with a score may be used, and gives the reason")
    void onlyUnscored(String members) {
      Catalog catalog =
          catalog(
              new PricedModel("acme/good", 90, 90, "1"),
              new PricedModel("acme/unknown", -1, -1, "0.1"),
              new PricedModel("acme/obscure", -1, -1, "100"));
      var request = request("router/auto", "auto-router", members);
      assertThat(chosen(routers(catalog, MATH).select(request))).containsExactly("good");
      Selection selection =
          routers(catalog, MATH).select(request, view -> view.without("acme/good"));
      assertThat(chosen(selection)).hasSize(1);
      assertThat(((Selection.Models) selection).reason())
          .startsWith(
              "the cheapest, because none that may be used has an intelligence_score or"
                  + " coding_score");
    }

    private InferenceRequest all() {
      return request("router/auto", "auto-router", "'cost_quality_tradeoff':0");
    }

    @Proves("plugins.auto.messages")
    @Test
    @DisplayName("requires messages")
    void messages() {
      var request = Given.request("router/auto", "x").toBuilder().messages(List.of()).build();
      assertThat(routers(TEN, MATH).select(request))
          .isEqualTo(
              new Selection.Refusal(
                  ErrorCode.INVALID_REQUEST,
                  "The automatic router chooses by messages, and there are none"));
    }

    @Test
    @DisplayName("never chooses a hidden model")
    void hidden() {
      Catalog catalog =
          Catalog.builder("test")
              .add(
                  ModelInfo.builder("acme/secret").isHidden(true).build(),
                  List.of(Given.endpoint("p", "acme/secret", "0")))
              .build();
      assertRefused(routers(catalog, MATH).select(request("router/auto", "auto-router", "")));
    }
  }

  @Nested
  @DisplayName("in a conversation")
  class Conversations {
    private InferenceRequest requestAfterAnswer(
        String slug, String id, String model, String members) {
      Message text = Message.text(Message.Role.ASSISTANT, "so it is");
      var earlierAnswer =
          new Message(
              Message.Role.ASSISTANT,
              text.parts(),
              text.contentForm(),
              Json.object().put("model", model).build(),
              null);
      return request(slug, id, members).toBuilder()
          .messages(
              List.of(
                  Message.text(Message.Role.USER, "is it?"),
                  earlierAnswer,
                  Message.text(Message.Role.USER, "and this?")))
          .build();
    }

    private Selection pinned(String model, String members, UnaryOperator<FakeCandidates> view) {
      return routers(TEN, MATH)
          .select(requestAfterAnswer("router/auto", "auto-router", model, members), view);
    }

    @Proves({"plugin.auto-router", "plugins.auto.pinned", "plugins.auto.AR-7"})
    @Test
    @DisplayName("AR-7: continues with the model of the latest answer if the request pins it")
    void ar7() {
      assertThat(chosen(pinned("acme/m7", "'pin_model':true", view -> view)))
          .containsExactly("m7", "m1", "m0");
      assertThat(chosen(pinned("ACME/m1", "'pin_model':true", view -> view)))
          .containsExactly("m1", "m0");
      assertThat(chosen(pinned("acme/m7", "'pin_model':false", view -> view)))
          .containsExactly("m1", "m0");
    }

    @Proves("plugins.auto.pinned")
    @Test
    @DisplayName("does not continue with a model that may not be used, is excluded, or is unknown")
    void notEligible() {
      assertThat(chosen(pinned("acme/m7", "'pin_model':true", view -> view.without("acme/m7"))))
          .containsExactly("m1", "m0");
      assertThat(
              chosen(pinned("acme/m7", "'pin_model':true,'excluded_models':['*7']", view -> view)))
          .containsExactly("m1", "m0");
      assertThat(chosen(pinned("nobody/m7", "'pin_model':true", view -> view)))
          .containsExactly("m1", "m0");
    }

    @Proves({"routing.sticky.value", "plugins.auto.sticky", "open.49"})
    @Test
    @DisplayName("prefers the model of the sticky endpoint only if it is among the first four")
    void sticky() {
      String wide = "'cost_quality_tradeoff':0";
      assertThat(chosen(auto(wide))).containsExactly("m8", "m7", "m6", "m5");
      assertThat(chosen(auto(wide, view -> view.sticky("acme/m6"))))
          .containsExactly("m6", "m8", "m7", "m5");
      assertThat(chosen(auto(wide, view -> view.sticky("acme/m4"))))
          .containsExactly("m8", "m7", "m6", "m5");
    }

    @Proves({"plugin.auto-beta-router", "plugins.auto.pin_model"})
    @Test
    @DisplayName("ignores pin_model as the beta router")
    void beta() {
      assertThat(
              chosen(
                  routers(TEN, MATH)
                      .select(
                          requestAfterAnswer(
                              "router/auto-beta",
                              "auto-beta-router",
                              "acme/m7",
                              "'pin_model':true"))))
          .containsExactly("m1", "m0");
    }
  }
}
