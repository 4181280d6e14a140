package io.strowger.plugins.freerouter;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.plugins.RouterCase;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.Selection;
import io.strowger.tck.Given;
import io.strowger.tck.RouterPluginContract;
import io.strowger.tck.conformance.Proves;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The router of free models keeps the contract of routers:")
class FreeRouterContractTest extends RouterPluginContract {
  private static final Pricing BY_DAY =
      Pricing.builder()
          .override(new Pricing.Override(null, 800, 1800, Map.of(Price.PROMPT, new UnitPrice(1))))
          .build();
  private static final Pricing PICTURES =
      Pricing.builder().set(Price.IMAGE, new UnitPrice(1)).build();

  private static Endpoint free(String provider, String model) {
    return Given.endpoint(provider, model, "0");
  }

  private static ModelInfo model(String id, double score) {
    return ModelInfo.builder(id).intelligenceScore(score).build();
  }

  private static final Catalog MIXED =
      Catalog.builder("test")
          .add(model("acme/good:free", 0.5), List.of(free("p", "acme/good:free")))
          .add(model("acme/best:free", 0.9), List.of(free("p", "acme/best:free")))
          .add(ModelInfo.builder("acme/new:free").build(), List.of(free("p", "acme/new:free")))
          .add(model("acme/paid", 0.99), List.of(Given.endpoint("p", "acme/paid", "0.000001")))
          .add(
              model("acme/both", 0.98),
              List.of(free("p", "acme/both"), Given.endpoint("q", "acme/both", "1")))
          .add(
              model("acme/by-day", 0.97),
              List.of(free("p", "acme/by-day").toBuilder().pricing(BY_DAY).build()))
          .add(
              model("acme/pictures", 0.96),
              List.of(free("p", "acme/pictures").toBuilder().pricing(PICTURES).build()))
          .add(model("acme/unserved", 0.95), List.of())
          .add(
              model("acme/hidden", 0.94).toBuilder().isHidden(true).build(),
              List.of(free("p", "acme/hidden")))
          .build();

  @Override
  protected PluginProvider provider() {
    return new FreeRouterProvider();
  }

  @Proves("plugins.other.free")
  @Test
  @DisplayName("it chooses only models that are free at every endpoint and at all times")
  void free() {
    var router = new RouterCase(MIXED, provider());
    var request = Given.request("router/free", "hello");
    assertThat(RouterCase.chosen(router.select(request)))
        .containsExactlyInAnyOrder("best:free", "good:free", "new:free");
    assertThat(RouterCase.chosen(router.select(request, view -> view.without("acme/best:free"))))
        .containsExactlyInAnyOrder("good:free", "new:free");
    assertThat(router.select(request, view -> view.only("acme/paid", "acme/both")))
        .isEqualTo(
            new Selection.Refusal(
                ErrorCode.CONSTRAINT_FILTERED, "No free model meets the request's constraints"));
  }

  @Proves("plugins.other.free")
  @Test
  @DisplayName("it orders them at random by the decision's seed, each order equally often")
  void uniform() {
    var router = new RouterCase(MIXED, provider());
    var request = Given.request("router/free", "hello");
    var orders = new TreeMap<List<String>, Integer>(Comparator.comparing(List::toString));
    for (int i = 0; i < 6000; i++) {
      long seed = i;
      List<String> order = RouterCase.chosen(router.select(request, view -> view.seed(seed)));
      orders.merge(order, 1, Integer::sum);
    }
    assertThat(orders).hasSize(6); // each about 1,000 times, within four standard deviations
    assertThat(orders.values()).allSatisfy(times -> assertThat(times).isBetween(885, 1115));
    assertThat(router.select(request, view -> view.seed(7)))
        .isEqualTo(router.select(request, view -> view.seed(7)));
  }

  @Test
  @DisplayName("it chooses at most as many models as a request may try")
  void most() {
    var catalog = Catalog.builder("many");
    for (int i = 0; i < 40; i++) {
      String id = "acme/m" + i + ":free";
      catalog.add(ModelInfo.builder(id).build(), List.of(free("p", id)));
    }
    var router = new RouterCase(catalog.build(), provider());
    assertThat(RouterCase.chosen(router.select(Given.request("router/free", "hello"))))
        .hasSize(10)
        .doesNotHaveDuplicates();
  }
}
