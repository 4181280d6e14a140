package io.strowger.core.plan;

import static io.strowger.core.plan.Fares.fares;
import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.endpoint;
import static io.strowger.core.plan.PlanWords.prefer;
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

@DisplayName("A plan with the customer's own keys")
class ByokKeysPlanTest {
  private static final Catalog ONE = catalog(endpoint("a", "m", "1"));
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

  /** Tags, with the key behind an asterisk where one is used. */
  private static List<String> tried(RoutePlan plan) {
    return plan instanceof RoutePlan.Attempts attempts
        ? attempts.candidates().stream().map(ByokKeysPlanTest::shown).toList()
        : List.of();
  }

  private static String shown(PlannedAttempt candidate) {
    String key = candidate.byokKey();
    return candidate.endpoint().tag() + (key == null ? "" : "*" + key);
  }

  private static List<String> tried(Catalog catalog, RoutingQuery.Builder query) {
    return tried(Fares.over(catalog).plan(query));
  }

  @Proves("routing.byok.BY-1")
  @Test
  @DisplayName("BY-1 uses them first, in the caller's order, then the gateway's credential")
  void by1() {
    var query =
        ask("m")
            .preferences(prefer().order(List.of("bedrock", "vertex", "anthropic")).build())
            .byokKeys(List.of(key("A", "anthropic"), key("B", "bedrock"), key("V", "vertex")));
    assertThat(tried(CLOUDS, query))
        .containsExactly("bedrock*B", "vertex*V", "anthropic*A", "bedrock", "vertex", "anthropic");
  }

  @Proves({"routing.byok.order", "routing.byok.BY-2"})
  @Test
  @DisplayName("BY-2 puts one even before an explicit order")
  void by2() {
    var query =
        ask("m")
            .preferences(prefer().order(List.of("bedrock", "vertex")).allowFallbacks(false).build())
            .byokKeys(List.of(key("V", "vertex")));
    assertThat(tried(CLOUDS, query)).containsExactly("vertex*V", "bedrock", "vertex");
  }

  @Proves({"routing.candidates.3", "routing.byok.order", "routing.byok.BY-3"})
  @Test
  @DisplayName("BY-3 uses them by sort order, and fallback keys after the gateway's credential")
  void by3() {
    var query =
        ask("m")
            .byokKeys(
                List.of(
                    key("F", "a", 0, true), key("P2", "a", 2, false), key("P1", "a", 1, false)));
    assertThat(tried(ONE, query)).containsExactly("a*P1", "a*P2", "a", "a*F");
  }

  @Proves({"routing.byok.always", "routing.byok.BY-4"})
  @Test
  @DisplayName("BY-4 leaves out the gateway's credential where a key is always to be used")
  void by4() {
    Catalog two = catalog(endpoint("a", "m1", "1"), endpoint("a", "m2", "1"));
    var keys = List.of(always("A", "a", List.of("m1")), key("B", "a"));
    assertThat(tried(two, ask("m1").byokKeys(keys))).containsExactly("a*A", "a*B");
    assertThat(tried(two, ask("m2").byokKeys(keys))).containsExactly("a*B", "a");
  }

  @Test
  @DisplayName("makes no candidate of a key for another provider or another model")
  void notFor() {
    var keys =
        List.of(
            key("other", "vertex"),
            new ByokKeyRef("M", "a", false, 0, false, List.of("else")),
            key("nobody", "unheard-of"));
    assertThat(tried(ONE, ask("m").byokKeys(keys))).containsExactly("a");
  }

  @Proves("routing.sort.byok")
  @Test
  @DisplayName("puts a fallback model before the first one with a key, when they are one list")
  void acrossModels() {
    Catalog two = catalog(endpoint("a", "m1", "1"), endpoint("b", "m2", "2"));
    var keys = List.of(key("B", "b"));
    assertThat(tried(two, ask("m1", "m2").byokKeys(keys))).containsExactly("a", "b*B", "b");
    var together =
        ask("m1", "m2")
            .preferences(prefer().sort(new ProviderSort(Key.PRICE, Partition.NONE)).build())
            .byokKeys(keys);
    assertThat(tried(two, together)).containsExactly("b*B", "a", "b");
  }

  @Test
  @DisplayName("uses only the first of all candidates without fallbacks")
  void noFallbacks() {
    var query =
        ask("m")
            .preferences(prefer().allowFallbacks(false).build())
            .byokKeys(List.of(key("P", "a")));
    assertThat(tried(ONE, query)).containsExactly("a*P");
  }

  @Test
  @DisplayName("does not use a key before its time")
  void keyClosed() {
    long now = Fares.NOW.toEpochMilli();
    var keys = List.of(key("P", "a"), key("Q", "a"));
    var fares = Fares.over(ONE).keyClosed("P", now + 1).keyClosed("Q", now);
    assertThat(tried(fares.plan(ask("m").byokKeys(keys)))).containsExactly("a*Q", "a");
  }

  @Test
  @DisplayName(
      "uses them where the provider limits the gateway's own credential, not where it broke")
  void limited() {
    long now = Fares.NOW.toEpochMilli();
    var keys = List.of(key("P", "a"));
    var limited = Fares.over(ONE).with("a", fares().blockedUntilMillis(now + 1));
    assertThat(tried(limited.plan(ask("m").byokKeys(keys)))).containsExactly("a*P");
    var broken = Fares.over(ONE).with("a", fares().breakerOpen(true).blockedUntilMillis(now + 1));
    assertThat(tried(broken.plan(ask("m").byokKeys(keys)))).isEmpty();
  }

  @Test
  @DisplayName("says when the only key that may be used will be, where one is always to be used")
  void reserved() {
    long now = Fares.NOW.toEpochMilli();
    var fares = Fares.over(ONE).keyClosed("A", now + 1500);
    var plan = fares.plan(ask("m").byokKeys(List.of(always("A", "a", null))));
    assertThat(((RoutePlan.NoRoute) plan).error().retryAfterSeconds()).hasValue(2);
  }

  @Test
  @DisplayName("says in the trace which key a rank is about")
  void trace() {
    var plan = Fares.over(ONE).plan(ask("m").byokKeys(List.of(key("P", "a"))));
    double price = ONE.endpoints().get(0).blendedPrice();
    assertThat(plan.trace())
        .containsExactly(
            new TraceEntry.Ranked("m@a", "P", 0, "price", price),
            new TraceEntry.Ranked("m@a", null, 1, "price", price));
  }

  @Test
  @DisplayName("BY-4 leaves out the gateway's credential also while that key has to wait")
  void reservedWhileWaiting() {
    var keys = List.of(always("A", "a", null), key("B", "a"));
    var fares = Fares.over(ONE).keyClosed("A", Fares.NOW.toEpochMilli() + 1);
    assertThat(tried(fares.plan(ask("m").byokKeys(keys)))).containsExactly("a*B");
  }
}
