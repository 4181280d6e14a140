package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.at;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.endpoint;
import static io.strowger.core.plan.PlanWords.excluded;
import static io.strowger.core.plan.PlanWords.prefer;
import static io.strowger.core.plan.PlanWords.tried;
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
  private static final EndpointStatistics WELL = EndpointStatistics.NONE;
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
    return plan(ask("m"), Map.of(), statistics);
  }

  private static GatewayError error(RoutePlan plan) {
    return ((RoutePlan.NoRoute) plan).error();
  }

  @Test
  @DisplayName("are not used before their time, and at just their time are again, to probe")
  void bounds() {
    assertThat(tried(plan(broken(NOW - 1), WELL))).contains("a");
    assertThat(((RoutePlan.Attempts) plan(broken(NOW), WELL)).candidates())
        .anyMatch(candidate -> candidate.endpoint().tag().equals("a") && candidate.probe());
    var plan = plan(broken(NOW + 1), WELL);
    assertThat(tried(plan)).containsExactly("b");
    assertThat(plan.trace())
        .contains(
            excluded("m@a", "cooldown", "failed, is not used before 1970-01-01T00:16:40.001Z"));
    assertThat(tried(plan(limited(NOW), WELL))).contains("a");
    assertThat(tried(plan(limited(NOW + 1), WELL))).containsExactly("b");
  }

  @ParameterizedTest(name = "a {0}, b {1}: {2}, retry after {3} s")
  @DisplayName("all of them are 503, or 429 where all only limit the rate, until the first returns")
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

  private static EndpointStatistics statistics(String words) {
    long until = NOW + Long.parseLong(words.split(" ")[1]);
    return words.startsWith("broken") ? broken(until) : limited(until);
  }

  @Test
  @DisplayName("count only where nothing else forbids them: an ignored one does not help")
  void onlyWhatTimeBringsBack() {
    var query = ask("m").preferences(prefer().ignore(List.of("a")).build());
    var error = error(plan(query, Map.of(), broken(NOW + 1), broken(NOW + 9000)));
    assertThat(error.retryAfterSeconds()).hasValue(9);
    assertThat(error.availability().get("affected_providers")).isEqualTo(Json.array(Json.of("b")));
    var nobody = ask("m").preferences(prefer().only(List.of()).build());
    assertThat(error(plan(nobody, Map.of(), broken(NOW + 1), broken(NOW + 9000))).code())
        .isEqualTo(ErrorCode.NO_ENDPOINTS);
  }

  private static RoutingQuery.Builder withKey(@Nullable List<String> models) {
    return ask("m").byokKeys(List.of(new ByokKeyRef("k", "A", false, 0, false, models)));
  }

  @Test
  @DisplayName("because the gateway sent too much are open to a customer's own key")
  void byokKey() {
    var plan = plan(withKey(null), Map.of(), limited(NOW + 1), WELL);
    assertThat(tried(plan)).startsWith("a");
    assertThat(tried(plan(withKey(List.of("m")), Map.of(), limited(NOW + 1), WELL))).contains("a");
    assertThat(tried(plan(withKey(List.of("n")), Map.of(), limited(NOW + 1), WELL)))
        .containsExactly("b");
    assertThat(tried(plan(withKey(null), Map.of(), broken(NOW + 1), WELL))).containsExactly("b");
  }

  @Test
  @DisplayName("are back as soon as either the gateway or the customer's key may use them")
  void keyThatWaits() {
    var query = withKey(null);
    var keys = Map.of("k", NOW + 2000);
    assertThat(tried(plan(query, keys, limited(NOW + 9000), WELL))).containsExactly("b");
    var error = error(plan(query, keys, limited(NOW + 9000), limited(NOW + 5000)));
    assertThat(error.code()).isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
    assertThat(error.retryAfterSeconds()).hasValue(2);
  }

  @Test
  @DisplayName("are what is waited for where the caller pins them, whoever else is well")
  void pinned() {
    var pinned = ask("m").preferences(prefer().order(List.of("a")).allowFallbacks(false).build());
    var error = error(plan(pinned, Map.of(), broken(NOW + 4000), limited(NOW + 1000)));
    assertThat(error.code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
    assertThat(error.retryAfterSeconds()).hasValue(4);
    assertThat(error.availability().get("affected_providers")).isEqualTo(Json.array(Json.of("a")));
    assertThat(error(plan(pinned, Map.of(), limited(NOW + 1000), WELL)).code())
        .isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
  }

  @Test
  @DisplayName("are not stood in for by endpoints that would drop the tools")
  void tools() {
    Catalog some =
        catalog(
            endpoint("a", "m", "1"),
            at("b", "m").parameters(0).build(),
            at("b", "n").parameters(0).build());
    var tools = ask("m").parameters(Parameter.TOOLS.bit());
    var closed = Fares.over(some).with("a", closedFor(3000));
    assertThat(error(closed.plan(tools)).retryAfterSeconds()).hasValue(3);
    var either = ask("m", "n").parameters(Parameter.TOOLS.bit());
    assertThat(((RoutePlan.Attempts) closed.plan(either)).candidates())
        .extracting(candidate -> candidate.endpoint().id())
        .containsExactly("n@b");
    assertThat(closed.tried(ask("m"))).containsExactly("b");
  }

  @Test
  @DisplayName("are not stood in for by another service tier than the one asked for")
  void flex() {
    Catalog some = catalog(endpoint("a", "m", "1"), at("a/flex", "m").serviceTier("flex").build());
    var closed = Fares.over(some).with("a/flex", closedFor(3000));
    assertThat(error(closed.plan(ask("m").tier(ServiceTier.FLEX))).retryAfterSeconds()).hasValue(3);
  }

  @Test
  @DisplayName("are all looked at where a router was to choose: the first of any model counts")
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
    var query = ask("router/house").routers(List.of(step)).at(Instant.ofEpochMilli(NOW));
    var plan =
        new Planner(five, any -> router)
            .plan(query.statisticsSequence(7).build(), Statistics.of(7, all, Map.of()));
    assertThat(error(plan).retryAfterSeconds()).hasValue(1);
  }

  private static EndpointStatistics.Builder closedFor(long millis) {
    return EndpointStatistics.builder()
        .breakerOpen(true)
        .blockedUntilMillis(Fares.NOW.toEpochMilli() + millis);
  }
}
