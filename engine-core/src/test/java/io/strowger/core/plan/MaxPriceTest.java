package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.dollarsPerMillion;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("max_price")
class MaxPriceTest {
  private static RoutingQuery.Builder atMost(PriceCaps caps) {
    return queryFor("m").preferences(preferences().maxPrice(caps).build());
  }

  private static PriceCaps tokens(@Nullable String prompt, @Nullable String completion) {
    return new PriceCaps(
        prompt == null ? null : dollarsPerMillion(prompt),
        completion == null ? null : dollarsPerMillion(completion),
        null,
        null,
        null);
  }

  @Proves({
    "provider.max_price",
    "routing.preference.max_price",
    "routing.parameters.price.inclusive",
    "routing.parameters.MP-1",
    "routing.parameters.MP-2"
  })
  @ParameterizedTest(name = "{0}: {1} and {2} per million, at most {3} and {4}")
  @DisplayName("is inclusive and exact, and each member applies separately")
  @CsvSource(
      nullValues = "-",
      value = {
        "MP-1 kept, 1, 2, 1, 2",
        "MP-2 dropped, 1.0001, 2, 1, 2",
        "kept, 0.999999, 2, 1, 2",
        "dropped, 1.000001, 2, 1, 2",
        "dropped, 1, 2.000001, 1, 2",
        "kept, 1, 100, 1, -",
        "kept, 100, 2, -, 2",
        "dropped, 100, 2.000001, -, 2",
        "kept, 0, 0, 0, 0",
        "dropped, 0.000001, 0, 0, 0",
      })
  void bounds(
      String verdict,
      String prompt,
      String completion,
      @Nullable String maxPrompt,
      @Nullable String maxCompletion) {
    var onlyEndpoint =
        catalog(endpointBuilder("a", "m").pricing(perMillion(prompt, completion)).build());
    assertThat(tried(onlyEndpoint, atMost(tokens(maxPrompt, maxCompletion))))
        .hasSize(verdict.endsWith("kept") ? 1 : 0);
  }

  @Proves("routing.parameters.MP-3")
  @Test
  @DisplayName(
      "MP-3 is applied before the sort by throughput, and the trace names what is too expensive")
  void mp3() {
    var catalog =
        catalog(
            endpointBuilder("slow", "m")
                .pricing(perMillion("1", "2"))
                .assumedPerformance(10, 0)
                .build(),
            endpointBuilder("fast", "m")
                .pricing(perMillion("1", "2"))
                .assumedPerformance(20, 0)
                .build(),
            endpointBuilder("dear", "m")
                .pricing(perMillion("1.5", "3"))
                .assumedPerformance(30, 0)
                .build());
    var sort = new ProviderSort(ProviderSort.Key.THROUGHPUT, ProviderSort.Partition.MODEL);
    var plan =
        plan(
            catalog,
            queryFor("m").preferences(preferences().sort(sort).maxPrice(tokens("1", "2")).build()));
    assertThat(tried(plan)).containsExactly("fast", "slow");
    assertThat(plan.trace())
        .contains(
            excluded(
                "m@dear",
                "provider.max_price",
                "prompt costs $1.5 > $1 per million, completion costs $3 > $2 per million"));
  }

  private static Endpoint expensiveBeyond(long tokens) {
    return endpointBuilder("a", "m")
        .pricing(
            Pricing.builder()
                .set(Price.PROMPT, dollarsPerMillion("1"))
                .override(
                    new Pricing.Override(
                        tokens, null, null, Map.of(Price.PROMPT, dollarsPerMillion("2"))))
                .build())
        .build();
  }

  @Proves({"routing.parameters.price.overrides", "routing.parameters.MP-4"})
  @Test
  @DisplayName(
      "MP-4 is compared with the price for the prompt's length: the base price up to the threshold")
  void mp4() {
    var catalog = catalog(expensiveBeyond(200_000));
    var query = atMost(tokens("1", null));
    assertThat(tried(catalog, query.promptTokens(199_999))).hasSize(1);
    assertThat(tried(catalog, query.promptTokens(200_000))).hasSize(1);
    assertThat(tried(catalog, query.promptTokens(200_001))).isEmpty();
  }

  @Proves("routing.parameters.price.overrides")
  @Test
  @DisplayName("is compared with the price at the hour of the request, also around midnight")
  void hours() {
    var night =
        new Pricing.Override(null, 2200, 600, Map.of(Price.PROMPT, dollarsPerMillion("0.5")));
    var catalog =
        catalog(
            endpointBuilder("a", "m")
                .pricing(
                    Pricing.builder()
                        .set(Price.PROMPT, dollarsPerMillion("1"))
                        .override(night)
                        .build())
                .build());
    var query = atMost(tokens("0.5", null));
    assertThat(tried(catalog, query.at(Instant.parse("2026-01-01T21:59:59Z")))).isEmpty();
    assertThat(tried(catalog, query.at(Instant.parse("2026-01-01T22:00:00Z")))).hasSize(1);
    assertThat(tried(catalog, query.at(Instant.parse("2026-01-01T05:59:59Z")))).hasSize(1);
    assertThat(tried(catalog, query.at(Instant.parse("2026-01-01T06:00:00Z")))).isEmpty();
  }

  @Proves({"provider.max_price", "open.36"})
  @ParameterizedTest(name = "{0}")
  @DisplayName(
      "also limits images, audio and requests, which are free where the endpoint has no such price")
  @EnumSource(names = {"IMAGE", "INPUT_AUDIO", "OUTPUT_AUDIO", "REQUEST"})
  void others(Price price) {
    var at10 = new UnitPrice(10);
    var catalog =
        catalog(
            endpointBuilder("a", "m").pricing(Pricing.builder().set(price, at10).build()).build(),
            endpoint("none", "m", "1"));
    assertThat(tried(catalog, atMost(capOn(new UnitPrice(9), price)))).containsExactly("none");
    assertThat(tried(catalog, atMost(capOn(at10, price)))).hasSize(2);
    assertThat(tried(catalog, atMost(capOn(new UnitPrice(11), price)))).hasSize(2);
  }

  private static PriceCaps capOn(UnitPrice cap, Price price) {
    return switch (price) {
      case IMAGE -> new PriceCaps(null, null, cap, null, null);
      case REQUEST -> new PriceCaps(null, null, null, null, cap);
      default -> new PriceCaps(null, null, null, cap, null);
    };
  }

  @Proves({
    "routing.preference.max_price",
    "routing.match.excluded_by",
    "routing.parameters.price.inclusive"
  })
  @Test
  @DisplayName(
      "leads to 404 constraint_filtered, excluded_by max_price, when all are too expensive")
  void nobody() {
    var error = refused(catalog(endpoint("a", "m", "3")), atMost(tokens("1", null))).error();
    assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
    assertThat(error.message())
        .endsWith("m is served by a; provider.max_price: prompt costs $3 > $1 per million");
    assertThat(error.availability().get("excluded_by")).isEqualTo(Json.array(Json.of("max_price")));
  }
}
