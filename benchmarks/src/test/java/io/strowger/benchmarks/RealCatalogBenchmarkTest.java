package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.routing.RoutePlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RealCatalogBenchmarkTest {
  private static final String PRICE_LIST =
      """
      {"first": {"id": "first", "models": {
         "a/one": {"id": "a/one", "cost": {"input": 1, "output": 2}},
         "a/two": {"id": "a/two", "cost": {"input": 0.5, "output": 3}}}},
       "second": {"id": "second", "models": {
         "a/one": {"id": "a/one", "cost": {"input": 3, "output": 2}}}}}
      """;

  @Test
  @DisplayName("With a price list from a test, each call has a plan")
  void plans() throws IOException {
    var benchmark = new RealCatalogBenchmark();
    benchmark.setUp(PRICE_LIST.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < 8; i++) {
      assertThat(benchmark.anyModel()).isInstanceOf(RoutePlan.Attempts.class);
    }
    assertThat(benchmark.auto()).isInstanceOf(RoutePlan.Attempts.class);
  }

  @Test
  @DisplayName("Without a price list, the reason for skipping names the property that sets one")
  void missing() {
    assertThat(RealCatalogBenchmark.skipReason()).contains("-Dstrowger.benchmarks.catalog=FILE");
    assertThatThrownBy(() -> new RealCatalogBenchmark().setUp())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("left out");
  }

  @Test
  @DisplayName("A file that is no price list is refused")
  void notAPriceList() {
    assertThatThrownBy(
            () -> new RealCatalogBenchmark().setUp("[]".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the price list of");
  }
}
