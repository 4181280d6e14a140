package io.strowger.core.plan;

import static io.strowger.core.plan.PlannerFixture.statistics;
import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.ProviderSort.Key;
import io.strowger.spi.routing.ProviderSort.Partition;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plan with BYOK keys:")
class ByokKeysPlanTest {
  private static final Catalog ONE_ENDPOINT = catalog(endpoint("a", "m", "1"));
  private static final Catalog CLOUDS =
      catalog(
          endpoint("anthropic", "m", "1"),
          endpoint("bedrock", "m", "2"),
          endpoint("vertex", "m", "3"));

  private static ByokKeyRef key(String id, String provider) {
    return new ByokKeyRef(id, provider, false, 0, false, null);
  }

  private static ByokKeyRef key(String id, String provider, int sortOrder, boolean fallback) {
    return new ByokKeyRef(id, provider, fallback, sortOrder, false, null);
  }

  private static ByokKeyRef always(String id, String provider, @Nullable List<String> models) {
    return new ByokKeyRef(id, provider, false, 0, true, models);
  }

  /**
   * Returns the tags of the candidates, each followed by an asterisk and the id of its BYOK key, if
   * any.
   */
  private static List<String> candidates(RoutePlan plan) {
    return plan instanceof RoutePlan.Attempts attempts
        ? attempts.candidates().stream().map(ByokKeysPlanTest::tagAndKey).toList()
        : List.of();
  }

  private static String tagAndKey(PlannedAttempt candidate) {
    String key = candidate.byokKey();
    return candidate.endpoint().tag() + (key == null ? "" : "*" + key);
  }

  private static List<String> candidates(Catalog catalog, RoutingQuery.Builder query) {
    return candidates(PlannerFixture.of(catalog).plan(query));
  }

  @Proves("routing.byok.BY-1")
  @Test
  @DisplayName("BY-1 uses them first, in the caller's order, then the gateway's credential")
  void by1() {
    var query =
        queryFor("m")
            .preferences(preferences().order(List.of("bedrock", "vertex", "anthropic")).build())
            .byokKeys(List.of(key("A", "anthropic"), key("B", "bedrock"), key("V", "vertex")));
    assertThat(candidates(CLOUDS, query))
        .containsExactly("bedrock*B", "vertex*V", "anthropic*A", "bedrock", "vertex", "anthropic");
  }

  @Proves({"routing.byok.order", "routing.byok.BY-2"})
  @Test
  @DisplayName("BY-2 puts a key even before an explicit order")
  void by2() {
    var query =
        queryFor("m")
            .preferences(
                preferences().order(List.of("bedrock", "vertex")).allowFallbacks(false).build())
            .byokKeys(List.of(key("V", "vertex")));
    assertThat(candidates(CLOUDS, query)).containsExactly("vertex*V", "bedrock", "vertex");
  }

  @Proves({"routing.candidates.3", "routing.byok.order", "routing.byok.BY-3"})
  @Test
  @DisplayName("BY-3 uses them by sort order, and fallback keys after the gateway's credential")
  void by3() {
    var query =
        queryFor("m")
            .byokKeys(
                List.of(
                    key("F", "a", 0, true), key("P2", "a", 2, false), key("P1", "a", 1, false)));
    assertThat(candidates(ONE_ENDPOINT, query)).containsExactly("a*P1", "a*P2", "a", "a*F");
  }

  @Proves({"routing.byok.always", "routing.byok.BY-4"})
  @Test
  @DisplayName("BY-4 leaves out the gateway's credential where a key is always to be used")
  void by4() {
    Catalog two = catalog(endpoint("a", "m1", "1"), endpoint("a", "m2", "1"));
    var keys = List.of(always("A", "a", List.of("m1")), key("B", "a"));
    assertThat(candidates(two, queryFor("m1").byokKeys(keys))).containsExactly("a*A", "a*B");
    assertThat(candidates(two, queryFor("m2").byokKeys(keys))).containsExactly("a*B", "a");
  }

  @Test
  @DisplayName("makes no candidate with a key for another provider or another model")
  void notFor() {
    var keys =
        List.of(
            key("other", "vertex"),
            new ByokKeyRef("M", "a", false, 0, false, List.of("else")),
            key("nobody", "unheard-of"));
    assertThat(candidates(ONE_ENDPOINT, queryFor("m").byokKeys(keys))).containsExactly("a");
  }

  @Proves("routing.sort.byok")
  @Test
  @DisplayName(
      "puts a fallback model with a key before the first model when all models are one list")
  void acrossModels() {
    Catalog two = catalog(endpoint("a", "m1", "1"), endpoint("b", "m2", "2"));
    var keys = List.of(key("B", "b"));
    assertThat(candidates(two, queryFor("m1", "m2").byokKeys(keys)))
        .containsExactly("a", "b*B", "b");
    var oneList =
        queryFor("m1", "m2")
            .preferences(preferences().sort(new ProviderSort(Key.PRICE, Partition.NONE)).build())
            .byokKeys(keys);
    assertThat(candidates(two, oneList)).containsExactly("b*B", "a", "b");
  }

  @Test
  @DisplayName("uses only the first of all candidates when fallbacks are forbidden")
  void noFallbacks() {
    var query =
        queryFor("m")
            .preferences(preferences().allowFallbacks(false).build())
            .byokKeys(List.of(key("P", "a")));
    assertThat(candidates(ONE_ENDPOINT, query)).containsExactly("a*P");
  }

  @Test
  @DisplayName("does not use a key before its waiting time is over")
  void keyBlocked() {
    long now = PlannerFixture.NOW.toEpochMilli();
    var keys = List.of(key("P", "a"), key("Q", "a"));
    var fixture =
        PlannerFixture.of(ONE_ENDPOINT).withBlockedKey("P", now + 1).withBlockedKey("Q", now);
    assertThat(candidates(fixture.plan(queryFor("m").byokKeys(keys)))).containsExactly("a*Q", "a");
  }

  @Test
  @DisplayName(
      "uses them where the provider limits the gateway's own credential, but not where the"
          + " endpoint failed")
  void rateLimited() {
    long now = PlannerFixture.NOW.toEpochMilli();
    var keys = List.of(key("P", "a"));
    var rateLimited =
        PlannerFixture.of(ONE_ENDPOINT)
            .withStatistics("a", statistics().blockedUntilMillis(now + 1));
    assertThat(candidates(rateLimited.plan(queryFor("m").byokKeys(keys)))).containsExactly("a*P");
    var broken =
        PlannerFixture.of(ONE_ENDPOINT)
            .withStatistics("a", statistics().breakerOpen(true).blockedUntilMillis(now + 1));
    assertThat(candidates(broken.plan(queryFor("m").byokKeys(keys)))).isEmpty();
  }

  @Test
  @DisplayName("refuses with the time until the only key that may be used can be used again")
  void reserved() {
    long now = PlannerFixture.NOW.toEpochMilli();
    var fixture = PlannerFixture.of(ONE_ENDPOINT).withBlockedKey("A", now + 1500);
    var plan = fixture.plan(queryFor("m").byokKeys(List.of(always("A", "a", null))));
    assertThat(((RoutePlan.NoRoute) plan).error().retryAfterSeconds()).hasValue(2);
  }

  @Test
  @DisplayName("names the key of each rank in the trace")
  void trace() {
    var plan = PlannerFixture.of(ONE_ENDPOINT).plan(queryFor("m").byokKeys(List.of(key("P", "a"))));
    double price = ONE_ENDPOINT.endpoints().get(0).blendedPrice();
    assertThat(plan.trace())
        .containsExactly(
            new TraceEntry.Ranked("m@a", "P", 0, "price", price),
            new TraceEntry.Ranked("m@a", null, 1, "price", price));
  }

  @Test
  @DisplayName("BY-4 leaves out the gateway's credential also while that key has to wait")
  void reservedWhileWaiting() {
    var keys = List.of(always("A", "a", null), key("B", "a"));
    var fixture =
        PlannerFixture.of(ONE_ENDPOINT).withBlockedKey("A", PlannerFixture.NOW.toEpochMilli() + 1);
    assertThat(candidates(fixture.plan(queryFor("m").byokKeys(keys)))).containsExactly("a*B");
  }
}
