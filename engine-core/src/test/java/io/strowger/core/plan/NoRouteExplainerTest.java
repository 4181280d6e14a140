package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A refusal")
class NoRouteExplainerTest {
  private static RoutingQuery.Builder pinned(String provider) {
    return queryFor("m").preferences(pinning(provider).build());
  }

  private static ProviderPreferences.Builder pinning(String provider) {
    return preferences().order(List.of(provider)).allowFallbacks(false);
  }

  @Proves("resources.error.availability")
  @Test
  @DisplayName("names the rule that dropped the endpoint that the caller pinned, not other rules")
  void pinnedAndDropped() {
    var two =
        catalog(
            endpoint("a", "m", "1"),
            endpointBuilder("b", "m").pricing(perMillion("2", "2")).maxOutputTokens(10).build());
    GatewayError error = refused(two, pinned("b").outputLimit(11)).error();
    assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
    assertThat(error.message()).contains("max_tokens: writes at most 10 tokens");
    GatewayError other = refused(two, pinned("c").outputLimit(11)).error();
    assertThat(other.code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
    assertThat(other.message()).contains("m is served by a, b; provider.order lists c, and");
  }

  @Test
  @DisplayName("says when other endpoints than the pinned one support what the request asks for")
  void pinnedAndSetAside() {
    var two =
        catalog(
            endpoint("a", "m", "1"),
            endpointBuilder("b", "m").pricing(perMillion("2", "2")).parameters(0).build());
    GatewayError error = refused(two, pinned("b").parameters(Parameter.TOOLS.bit())).error();
    assertThat(error.code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
    assertThat(error.message())
        .endsWith(
            "m is served by a, b; provider.order lists b, but other endpoints suit the request"
                + " better, and provider.allow_fallbacks is false");
  }

  @Proves("routing.variant.each")
  @Test
  @DisplayName("considers each model with the variant in its own name")
  void variants() {
    var priority =
        catalog(
            endpointBuilder("a/priority", "m").serviceTier("priority").build(),
            endpointBuilder("a/priority", "n").serviceTier("priority").maxOutputTokens(10).build());
    GatewayError error = refused(priority, queryFor("n:nitro", "m").outputLimit(11)).error();
    assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
    assertThat(error.message())
        .contains("n is served by a; max_tokens: ")
        .contains("m is served by a; service_tier: ");
  }

  @Test
  @DisplayName("stays short, whatever the number of models and the length of names")
  void bounded() {
    Endpoint[] many =
        IntStream.range(0, 300)
            .boxed()
            .flatMap(i -> Stream.of(endpoint("a", "m" + i, "1"), endpoint("b", "m" + i, "2")))
            .toArray(Endpoint[]::new);
    var allModels = IntStream.range(0, 300).mapToObj(i -> "m" + i).toArray(String[]::new);
    var only = IntStream.range(0, 200).mapToObj(i -> "x".repeat(1000) + i).toList();
    var query = queryFor(allModels).preferences(preferences().only(only).build());
    GatewayError error = refused(catalog(many), query).error();
    assertThat(error.message())
        .hasSizeLessThan(6000)
        .contains("m0 is served by a, b; provider.only: permits xxx")
        .contains(" and 192 more")
        .endsWith("; and 295 more models");
  }
}
