package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The default draw")
class DefaultOrderTest {
  private static final int DRAWS = 100_000;
  private static final Catalog ONE_TWO_THREE =
      catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "m", "3"));

  private static Map<String, Integer> firsts(Catalog catalog) {
    var planner = new Planner(catalog);
    var counts = new HashMap<String, Integer>();
    for (int seed = 0; seed < DRAWS; seed++) {
      var plan = (RoutePlan.Attempts) planner.plan(queryFor("m").seed(seed).build());
      counts.merge(plan.candidates().getFirst().endpoint().tag(), 1, Integer::sum);
    }
    return counts;
  }

  private static double chiSquare(Map<String, Integer> observed, Map<String, Double> expected) {
    double sum = 0;
    for (var entry : expected.entrySet()) {
      double mean = entry.getValue() * DRAWS;
      double off = observed.getOrDefault(entry.getKey(), 0) - mean;
      sum += off * off / mean;
    }
    return sum;
  }

  private static void assertWithin3Sigma(
      Map<String, Integer> firsts, String tag, double probability) {
    int observed = firsts.getOrDefault(tag, 0);
    double mean = DRAWS * probability;
    double sigma = Math.sqrt(mean * (1 - probability));
    assertThat((double) observed).isBetween(mean - 3 * sigma, mean + 3 * sigma);
  }

  @Proves({"routing.draw.2", "routing.draw.LB-2", "routing.draw.LB-5", "open.22"})
  @Test
  @DisplayName("LB-2, LB-5 draws the first with 1/price^2: 36 to 9 to 4 for $1, $2 and $3")
  void inverseSquare() {
    var observed = firsts(ONE_TWO_THREE);
    var expected = Map.of("a", 36 / 49.0, "b", 9 / 49.0, "c", 4 / 49.0);
    expected.forEach((tag, probability) -> assertWithin3Sigma(observed, tag, probability));
    assertThat(chiSquare(observed, expected)).isLessThan(11.83); // 2 degrees of freedom, 3 sigma
  }

  @Proves("routing.draw.LB-3")
  @Test
  @DisplayName("LB-3 draws evenly between equal prices")
  void equalPrices() {
    var observed = firsts(catalog(endpoint("a", "m", "1"), endpoint("d", "m", "1")));
    assertWithin3Sigma(observed, "a", 0.5);
  }

  @Proves({"routing.draw.LB-6", "open.27"})
  @Test
  @DisplayName("LB-6 puts endpoints that cost nothing first and draws evenly among them")
  void freeFirst() {
    var free =
        catalog(
            endpoint("paid", "m", "0.001"),
            endpoint("x", "m", "0"),
            endpoint("y", "m", "0"),
            endpoint("z", "m", "0"));
    var observed = firsts(free);
    assertThat(observed).containsOnlyKeys("x", "y", "z");
    for (String tag : List.of("x", "y", "z")) {
      assertWithin3Sigma(observed, tag, 1 / 3.0);
    }
    assertThat(tried(free, queryFor("m"))).hasSize(4).endsWith("paid");
  }

  @Proves({"routing.draw.3", "open.23"})
  @Test
  @DisplayName("orders the endpoints that were not drawn by ascending price, then by tag")
  void restByPrice() {
    var many =
        catalog(
            endpoint("d", "m", "4"),
            endpoint("c2", "m", "3"),
            endpoint("c1", "m", "3"),
            endpoint("b", "m", "2"),
            endpoint("a", "m", "1"));
    var byPrice = List.of("a", "b", "c1", "c2", "d");
    var drawn = new HashMap<String, Integer>();
    for (int seed = 0; seed < 500; seed++) {
      var tags = new ArrayList<>(tried(many, queryFor("m").seed(seed)));
      String first = tags.removeFirst();
      drawn.merge(first, 1, Integer::sum);
      var rest = new ArrayList<>(byPrice);
      rest.remove(first);
      assertThat(tags).isEqualTo(rest);
    }
    assertThat(drawn).containsKeys("a", "b", "c1");
  }

  @Test
  @DisplayName("is made for each model separately, so that two equal models differ")
  void eachModelDraws() {
    var two =
        catalog(
            endpoint("a", "m", "1"),
            endpoint("b", "m", "1"),
            endpoint("a", "n", "1"),
            endpoint("b", "n", "1"));
    int sameFirst = 0;
    for (int seed = 0; seed < 1000; seed++) {
      var tags = tried(two, queryFor("m", "n").seed(seed));
      sameFirst += tags.get(0).equals(tags.get(2)) ? 1 : 0;
    }
    assertThat(sameFirst).isBetween(450, 550);
  }

  @Proves("open.21")
  @Test
  @DisplayName("weighs three prompt tokens against one output token")
  void blended() {
    Endpoint expensivePrompt = endpointBuilder("p", "m").pricing(perMillion("3", "1")).build();
    Endpoint expensiveOutput = endpointBuilder("o", "m").pricing(perMillion("1", "3")).build();
    var trace = plan(catalog(expensivePrompt, expensiveOutput), queryFor("m")).trace();
    assertThat(trace)
        .allSatisfy(fact -> assertThat(fact).isInstanceOf(TraceEntry.Ranked.class))
        .extracting(fact -> ((TraceEntry.Ranked) fact).score())
        .containsExactlyInAnyOrder(10e6, 6e6);
  }
}
