package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.queryFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The name of a model")
class ModelNamesTest {
  private static final PlanIndex INDEX =
      new PlanIndex(
          Catalog.builder(TestPlans.VERSION)
              .add(
                  model("acme/large-1.5", "acme/large", "2026-01-01")
                      .aliases(List.of("acme/large-1-5", "acme/big"))
                      .build(),
                  List.of(endpoint("a", "acme/large-1.5", "1")))
              .add(model("acme/large-1.5:free", "acme/large", "2026-09-01").build(), List.of())
              .add(model("acme/large-1.5:free:thinking", null, null).build(), List.of())
              .add(model("acme/large-2", "acme/large", "2026-02-01").build(), List.of())
              .add(
                  model("acme/large-3", "acme/large", "2026-03-01").isPrivate(true).build(),
                  List.of())
              .add(
                  model("acme/large-4", "acme/large", "2026-04-01").isHidden(true).build(),
                  List.of())
              .add(model("acme/large-0", "acme/large", null).build(), List.of())
              .add(model("zeta/b", "zeta/s", "2026-01-01").build(), List.of())
              .add(model("zeta/a", "zeta/s", "2026-01-01").build(), List.of())
              .add(model("zeta/secret", "zeta/own", null).isPrivate(true).build(), List.of())
              .add(model("zeta/odd:nitro", null, null).build(), List.of())
              .build());

  private static ModelInfo.Builder model(
      String id, @Nullable String family, @Nullable String created) {
    return ModelInfo.builder(id)
        .family(family)
        .createdAt(created == null ? null : Instant.parse(created + "T00:00:00Z"));
  }

  private static RequestedModel resolveOne(String name) {
    return Objects.requireNonNull(ModelNames.resolve(queryFor(name).build(), INDEX))[0];
  }

  /** Returns the ids of the models that these names refer to; "nothing" when a name is unknown. */
  private static List<String> ids(RoutingQuery.Builder query) {
    RequestedModel @Nullable [] resolved = ModelNames.resolve(query.build(), INDEX);
    return resolved == null
        ? List.of("nothing")
        : Arrays.stream(resolved).map(ModelNamesTest::id).toList();
  }

  private static String id(RequestedModel resolved) {
    return resolved.model() == null ? "router" : resolved.model().model().id();
  }

  private static RoutingQuery.Builder approvedQuery(String name) {
    return queryFor(name)
        .account(AccountRules.builder().privateModels(List.of("Acme/Large-3")).build());
  }

  @Proves({
    "routing.candidates.1",
    "routing.variant.static",
    "routing.variant.stacked",
    "routing.variant.latest"
  })
  @ParameterizedTest(name = "{0} is {1}, sort {2}, tiers {3}")
  @DisplayName("may have variants: dynamic ones say how to route, static ones are another model")
  @CsvSource(
      nullValues = "-",
      value = {
        "acme/large-1.5, acme/large-1.5, -, 0",
        "ACME/Large-1.5, acme/large-1.5, -, 0",
        "acme/large-1.5:nitro, acme/large-1.5, THROUGHPUT, 1",
        "acme/large-1.5:NITRO, acme/large-1.5, THROUGHPUT, 1",
        "acme/large-1.5:floor, acme/large-1.5, PRICE, 2",
        "acme/large-1.5:exacto, acme/large-1.5, EXACTO, 0",
        "acme/large-1.5:online, acme/large-1.5, -, 0",
        "acme/large-1.5:free, acme/large-1.5:free, -, 0",
        "acme/large-1.5:free:online, acme/large-1.5:free, -, 0",
        "acme/large-1.5:nitro:free, acme/large-1.5:free, THROUGHPUT, 1",
        "acme/large-1.5:free:floor:thinking, acme/large-1.5:free:thinking, PRICE, 2",
        "acme/large-1.5:nitro:floor, acme/large-1.5, PRICE, 3",
        "acme/large-1.5:floor:nitro:online, acme/large-1.5, THROUGHPUT, 3",
        "acme/big:free, acme/large-1.5:free, -, 0",
        "acme/large-1-5:exacto:free, acme/large-1.5:free, EXACTO, 0",
        "acme/large-1.5:extended, -, -, 0",
        "acme/big:extended, -, -, 0",
        "acme/large-1.5:thinking:free, -, -, 0",
        "acme/large-1.5:, -, -, 0",
        "zeta/odd:nitro, zeta/odd:nitro, -, 0",
        "~acme/large-latest, acme/large-2, -, 0",
        "~ACME/Large-LATEST:nitro, acme/large-2, THROUGHPUT, 1",
        "~acme/large-latest:free, -, -, 0",
        "~acme/large, -, -, 0",
        "~acme/none-latest, -, -, 0",
        "~zeta/own-latest, -, -, 0",
        "~-latest, -, -, 0",
        "-latest, -, -, 0",
        "~, -, -, 0",
        "~zeta/s-latest, zeta/a, -, 0",
        "acme/large-3, -, -, 0",
        "acme/large-4, acme/large-4, -, 0",
      })
  void means(String name, @Nullable String id, ProviderSort.@Nullable Key sort, int admits) {
    if (id == null) {
      assertThat(ids(queryFor(name))).containsExactly("nothing");
    } else {
      assertThat(ids(queryFor(name))).containsExactly(id);
      assertThat(resolveOne(name).sort()).isEqualTo(sort);
      assertThat(resolveOne(name).admittedTiers()).isEqualTo(admits);
      assertThat(resolveOne(name).index()).isZero();
    }
  }

  @Test
  @DisplayName(
      "counts once, in the form in which it comes first, and keeps its position in the list")
  void once() {
    var query = queryFor("acme/large-1.5:nitro", "acme/big", "zeta/a", "acme/large-1.5:floor");
    RequestedModel[] resolved = Objects.requireNonNull(ModelNames.resolve(query.build(), INDEX));
    assertThat(resolved).extracting(ModelNamesTest::id).containsExactly("acme/large-1.5", "zeta/a");
    assertThat(resolved).extracting(RequestedModel::index).containsExactly(0, 2);
    assertThat(resolved[0].sort()).isEqualTo(ProviderSort.Key.THROUGHPUT);
  }

  @Test
  @DisplayName("may be that of a router, which itself chooses the models")
  void routers() {
    var step = new RouterStep("auto-router", "1", 1, Json.Obj.EMPTY, Json.NULL);
    var every = new RouterStep("house", "1", RouterStep.EVERY_REQUEST, Json.Obj.EMPTY, Json.NULL);
    var query = queryFor("zeta/a", "router/auto:floor").routers(List.of(every, step));
    assertThat(ids(query)).containsExactly("zeta/a", "router");
    RequestedModel[] resolved = Objects.requireNonNull(ModelNames.resolve(query.build(), INDEX));
    assertThat(resolved[1])
        .isEqualTo(new RequestedModel(1, null, ProviderSort.Key.PRICE, ServiceTierMask.FLEX));
    assertThat(ids(queryFor("zeta/a", "router/auto"))).containsExactly("nothing");
  }

  @Nested
  @DisplayName("of a private model")
  class Private {
    @Proves("routing.other.private")
    @Test
    @DisplayName("is known, also as the latest, to an account that is approved for it")
    void approvedAccount() {
      assertThat(ids(approvedQuery("acme/large-3"))).containsExactly("acme/large-3");
      assertThat(ids(approvedQuery("~acme/large-latest:floor"))).containsExactly("acme/large-3");
      assertThat(ids(approvedQuery("zeta/secret"))).containsExactly("nothing");
    }

    @Test
    @DisplayName("is treated for every other account like that of a model that does not exist")
    void others() {
      var error = ModelNames.error(queryFor("zeta/secret", "acme/large-33").build(), INDEX);
      assertThat(error.code()).isEqualTo(ErrorCode.MODEL_NOT_FOUND);
      assertThat(error.message())
          .startsWith("No model is called \"zeta/secret\"; No model is called \"acme/large-33\"")
          .doesNotContain("acme/large-3,")
          .doesNotContain("acme/large-4");
    }
  }

  @Proves("routing.variant.latest")
  @Test
  @DisplayName("as the latest of a family without a model leads to 400, and no other model is used")
  void noneOfTheFamily() {
    var error = ModelNames.error(queryFor("~acme/none-latest").build(), INDEX);
    assertThat(error.code()).isEqualTo(ErrorCode.MODEL_NOT_FOUND);
    assertThat(error.message())
        .isEqualTo("\"~acme/none-latest\" names no model: there is none of that family");
  }

  @Test
  @DisplayName("without variants is looked up without creating an object")
  void plain() {
    assertThat(resolveOne("acme/large-1.5")).isSameAs(resolveOne("acme/large-1-5"));
    assertThat(ModelRef.parse("acme/large-1.5").toString()).isEqualTo("acme/large-1.5");
  }

  @Proves("routing.variant.latest")
  @ParameterizedTest(name = "{0}: {1}")
  @DisplayName("is reported in router_metadata as direct, an alias or the latest")
  @CsvSource({
    "acme/large-1.5, DIRECT",
    "Acme/LARGE-1.5:nitro, DIRECT",
    "acme/large-1.5:free:online, DIRECT",
    "acme/large-1-5, ALIAS",
    "acme/big:floor, ALIAS",
    "acme/big:free, ALIAS",
    "~acme/large-latest, LATEST",
    "~acme/large-latest:nitro, LATEST",
    "no/one, DIRECT",
    "no/one:free, DIRECT",
  })
  void naming(String name, Naming naming) {
    assertThat(Naming.of(name, INDEX.catalog())).isEqualTo(naming);
  }
}
