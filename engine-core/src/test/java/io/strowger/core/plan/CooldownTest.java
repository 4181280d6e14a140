package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.RouterPlugin;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Endpoints that cool down")
class CooldownTest {
  private static final Catalog TWO = catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"));
  private static final EndpointStatistics HEALTHY = EndpointStatistics.NONE;
  private static final long NOW = 1_000_000;

  private static EndpointStatistics broken(long until) {
    return EndpointStatistics.builder().breakerOpen(true).blockedUntilMillis(until).build();
  }

  private static EndpointStatistics limited(long until) {
    return EndpointStatistics.builder().blockedUntilMillis(until).build();
  }

  private static RoutePlan plan(
      RoutingQuery.Builder query, Map<String, Long> keys, EndpointStatistics... statistics) {
    return new Planner(TWO)
        .plan(
            query.at(Instant.ofEpochMilli(NOW)).statisticsSequence(7).build(),
            Statistics.of(7, statistics, keys));
  }

  private static RoutePlan plan(EndpointStatistics... statistics) {
    return plan(queryFor("m"), Map.of(), statistics);
  }

  private static GatewayError error(RoutePlan plan) {
    return ((RoutePlan.NoRoute) plan).error();
  }

  @Test
  @DisplayName("are not used before their cooldown ends, and from that moment on are probed")
  void bounds() {
    assertThat(tried(plan(broken(NOW - 1), HEALTHY))).contains("a");
    assertThat(((RoutePlan.Attempts) plan(broken(NOW), HEALTHY)).candidates())
        .anyMatch(candidate -> candidate.endpoint().tag().equals("a") && candidate.probe());
    var plan = plan(broken(NOW + 1), HEALTHY);
    assertThat(tried(plan)).containsExactly("b");
    assertThat(plan.trace())
        .contains(
            excluded("m@a", "cooldown", "failed, is not used before 1970-01-01T00:16:40.001Z"));
    assertThat(tried(plan(limited(NOW), HEALTHY))).contains("a");
    assertThat(tried(plan(limited(NOW + 1), HEALTHY))).containsExactly("b");
  }

  @ParameterizedTest(name = "a {0}, b {1}: {2}, retry after {3} s")
  @DisplayName(
      "lead to 503 when all cool down, or 429 when all are rate-limited, until the first can be"
          + " used again")
  @CsvSource({
    "broken 1, broken 5000, TEMPORARILY_UNAVAILABLE, 1",
    "broken 1000, broken 5000, TEMPORARILY_UNAVAILABLE, 1",
    "broken 1001, broken 5000, TEMPORARILY_UNAVAILABLE, 2",
    "broken 5000, limited 3000, TEMPORARILY_UNAVAILABLE, 3",
    "limited 2500, limited 9000, CAPACITY_EXHAUSTED, 3",
  })
  void all(String a, String b, ErrorCode code, long seconds) {
    var error = error(plan(statistics(a), statistics(b)));
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.retryAfterSeconds()).hasValue(seconds);
    assertThat(error.message()).contains("m is served by a, b; cooldown: ");
    var availability = error.availability();
    assertThat(availability.get("retry_after")).isEqualTo(Json.of(seconds));
    assertThat(availability.get("retryable")).isEqualTo(Json.TRUE);
    assertThat(availability.get("affected_providers"))
        .isEqualTo(Json.array(Json.of("a"), Json.of("b")));
    assertThat(availability.has("excluded_by")).isFalse();
  }

  private static EndpointStatistics statistics(String state) {
    long until = NOW + Long.parseLong(state.split(" ")[1]);
    return state.startsWith("broken") ? broken(until) : limited(until);
  }

  @Test
  @DisplayName("count only if no other rule drops them: an ignored endpoint does not help")
  void onlyTemporarilyDropped() {
    var query = queryFor("m").preferences(preferences().ignore(List.of("a")).build());
    var error = error(plan(query, Map.of(), broken(NOW + 1), broken(NOW + 9000)));
    assertThat(error.retryAfterSeconds()).hasValue(9);
    assertThat(error.availability().get("affected_providers")).isEqualTo(Json.array(Json.of("b")));
    var noProviders = queryFor("m").preferences(preferences().only(List.of()).build());
    assertThat(error(plan(noProviders, Map.of(), broken(NOW + 1), broken(NOW + 9000))).code())
        .isEqualTo(ErrorCode.NO_ENDPOINTS);
  }

  private static RoutingQuery.Builder withKey(@Nullable List<String> models) {
    return queryFor("m").byokKeys(List.of(new ByokKeyRef("k", "A", false, 0, false, models)));
  }

  @Test
  @DisplayName("because of a rate limit of the gateway's credential can be used with a BYOK key")
  void byokKey() {
    var plan = plan(withKey(null), Map.of(), limited(NOW + 1), HEALTHY);
    assertThat(tried(plan)).startsWith("a");
    assertThat(tried(plan(withKey(List.of("m")), Map.of(), limited(NOW + 1), HEALTHY)))
        .contains("a");
    assertThat(tried(plan(withKey(List.of("n")), Map.of(), limited(NOW + 1), HEALTHY)))
        .containsExactly("b");
    assertThat(tried(plan(withKey(null), Map.of(), broken(NOW + 1), HEALTHY))).containsExactly("b");
  }

  @Test
  @DisplayName(
      "can be used again as soon as either the gateway's credential or the BYOK key may use them")
  void keyThatWaits() {
    var query = withKey(null);
    var keys = Map.of("k", NOW + 2000);
    assertThat(tried(plan(query, keys, limited(NOW + 9000), HEALTHY))).containsExactly("b");
    var error = error(plan(query, keys, limited(NOW + 9000), limited(NOW + 5000)));
    assertThat(error.code()).isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
    assertThat(error.retryAfterSeconds()).hasValue(2);
  }

  @Test
  @DisplayName("determine the retry time when the caller pins them, even if others are healthy")
  void pinned() {
    var pinned =
        queryFor("m").preferences(preferences().order(List.of("a")).allowFallbacks(false).build());
    var error = error(plan(pinned, Map.of(), broken(NOW + 4000), limited(NOW + 1000)));
    assertThat(error.code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
    assertThat(error.retryAfterSeconds()).hasValue(4);
    assertThat(error.availability().get("affected_providers")).isEqualTo(Json.array(Json.of("a")));
    assertThat(error(plan(pinned, Map.of(), limited(NOW + 1000), HEALTHY)).code())
        .isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
  }

  @Test
  @DisplayName("are not replaced by endpoints that do not support the tools")
  void tools() {
    Catalog catalog =
        catalog(
            endpoint("a", "m", "1"),
            endpointBuilder("b", "m").parameters(0).build(),
            endpointBuilder("b", "n").parameters(0).build());
    var tools = queryFor("m").parameters(Parameter.TOOLS.bit());
    var coolingDown = PlannerFixture.of(catalog).withStatistics("a", coolingDownFor(3000));
    assertThat(error(coolingDown.plan(tools)).retryAfterSeconds()).hasValue(3);
    var either = queryFor("m", "n").parameters(Parameter.TOOLS.bit());
    assertThat(((RoutePlan.Attempts) coolingDown.plan(either)).candidates())
        .extracting(candidate -> candidate.endpoint().id())
        .containsExactly("n@b");
    assertThat(coolingDown.tried(queryFor("m"))).containsExactly("b");
  }

  @Test
  @DisplayName("are not replaced by another service tier than the one asked for")
  void flex() {
    Catalog catalog =
        catalog(
            endpoint("a", "m", "1"), endpointBuilder("a/flex", "m").serviceTier("flex").build());
    var coolingDown = PlannerFixture.of(catalog).withStatistics("a/flex", coolingDownFor(3000));
    assertThat(error(coolingDown.plan(queryFor("m").tier(ServiceTier.FLEX))).retryAfterSeconds())
        .hasValue(3);
  }

  @Test
  @DisplayName(
      "are all considered when a router chooses: the first of any model determines the retry time")
  void routed() {
    Catalog five =
        catalog(
            endpoint("a", "m1", "1"),
            endpoint("b", "m2", "1"),
            endpoint("c", "m3", "1"),
            endpoint("d", "m4", "1"),
            endpoint("e", "m5", "1"));
    var all =
        LongStream.of(9000, 8000, 7000, 6000, 1000)
            .mapToObj(millis -> broken(NOW + millis))
            .toArray(EndpointStatistics[]::new);
    var step = new RouterStep("house", "1", 0, Json.Obj.EMPTY, Json.Obj.EMPTY);
    RouterPlugin router = RoutedTest::first;
    var query = queryFor("router/house").routers(List.of(step)).at(Instant.ofEpochMilli(NOW));
    var plan =
        new Planner(five, any -> router)
            .plan(query.statisticsSequence(7).build(), Statistics.of(7, all, Map.of()));
    assertThat(error(plan).retryAfterSeconds()).hasValue(1);
  }

  private static EndpointStatistics.Builder coolingDownFor(long millis) {
    return EndpointStatistics.builder()
        .breakerOpen(true)
        .blockedUntilMillis(PlannerFixture.NOW.toEpochMilli() + millis);
  }
}
