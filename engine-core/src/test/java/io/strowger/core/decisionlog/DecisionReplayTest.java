package io.strowger.core.decisionlog;

import static io.strowger.core.decisionlog.TestLogs.CATALOG;
import static io.strowger.core.decisionlog.TestLogs.OTHER_CATALOG;
import static io.strowger.core.decisionlog.TestLogs.decision;
import static io.strowger.core.decisionlog.TestLogs.log;
import static io.strowger.core.decisionlog.TestLogs.replay;
import static io.strowger.core.decisionlog.TestLogs.withOpenBreaker;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.plan.Routers;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A replay")
class DecisionReplayTest {
  @Test
  @DisplayName("of unchanged decisions over alternating catalogs finds no difference")
  void identical() throws Exception {
    var decisions = new ArrayList<LoggedDecision>();
    for (int i = 0; i < 50; i++) {
      Catalog catalog = i % 3 == 0 ? OTHER_CATALOG : CATALOG;
      decisions.add(decision(catalog, withOpenBreaker(1 + i / 5, catalog, i / 5 % 2), i));
    }
    TestLogs.Replayed replayed = replay(log(decisions), ReplayRouters.NONE);
    assertThat(replayed.findings()).isEmpty();
    assertThat(replayed.result().isClean()).isTrue();
    assertThat(replayed.result().identical()).isEqualTo(50);
    assertThat(replayed.result().records().catalogs()).isEqualTo(2);
    assertThat(replayed.result().records().statistics()).isBetween(10L, 20L);
  }

  @Test
  @DisplayName("finds the one decision of many whose plan was changed")
  void changedPlan() throws Exception {
    var decisions = new ArrayList<LoggedDecision>();
    for (int i = 0; i < 20; i++) {
      decisions.add(decision(CATALOG, Statistics.NONE, i));
    }
    LoggedDecision original = decisions.get(7);
    var candidates = new ArrayList<>(((RoutePlan.Attempts) original.plan()).candidates());
    Collections.swap(candidates, 0, 1);
    decisions.set(7, withCandidates(original, candidates));

    TestLogs.Replayed replayed = replay(log(decisions), ReplayRouters.NONE);
    assertThat(replayed.result().identical()).isEqualTo(19);
    assertThat(replayed.result().isClean()).isFalse();
    assertThat(replayed.findings())
        .singleElement()
        .isInstanceOfSatisfying(
            ReplayFinding.Difference.class,
            difference -> {
              assertThat(difference.id()).isEqualTo("gen-7");
              assertThat(difference.expected()).isEqualTo(LoggedPlan.of(decisions.get(7).plan()));
              assertThat(difference.actual()).isEqualTo(LoggedPlan.of(original.plan()));
            });
  }

  private static LoggedDecision withCandidates(
      LoggedDecision decision, List<PlannedAttempt> candidates) {
    return new LoggedDecision(
        decision.id(),
        decision.catalog(),
        decision.statistics(),
        decision.query(),
        new RoutePlan.Attempts(candidates, List::of),
        decision.ending());
  }

  @Test
  @DisplayName("finds candidates that differ only in key, index or probe")
  void details() throws Exception {
    LoggedDecision original = decision(CATALOG, Statistics.NONE, 1);
    PlannedAttempt first = ((RoutePlan.Attempts) original.plan()).candidates().get(0);
    for (PlannedAttempt changed :
        List.of(
            new PlannedAttempt(first.endpoint(), 0, "k1", false),
            new PlannedAttempt(first.endpoint(), 1, null, false),
            new PlannedAttempt(first.endpoint(), 0, null, true))) {
      var candidates = new ArrayList<>(((RoutePlan.Attempts) original.plan()).candidates());
      candidates.set(0, changed);
      byte[] log = log(List.of(withCandidates(original, candidates)));
      assertThat(replay(log, ReplayRouters.NONE).result().different()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("uses the logged statistics: without the open breaker the plan would differ")
  void statisticsMatter() throws Exception {
    LoggedDecision decision = decision(CATALOG, withOpenBreaker(1, CATALOG, 0), 5);
    RoutePlan without = new Planner(CATALOG).plan(TestLogs.query(CATALOG, 5));
    assertThat(LoggedPlan.of(decision.plan())).isNotEqualTo(LoggedPlan.of(without));
    assertThat(replay(log(List.of(decision)), ReplayRouters.NONE).result().isClean()).isTrue();
  }

  @Test
  @DisplayName("keeps former statistics exactly as long as the writer does")
  void forgets() throws Exception {
    var decisions = new ArrayList<LoggedDecision>();
    int many = CatalogLogState.MAX_STATISTICS + 2;
    for (int i = 1; i <= many; i++) {
      decisions.add(decision(CATALOG, samples(i), i));
    }
    decisions.add(decision(CATALOG, samples(1), 0));
    decisions.add(decision(CATALOG, samples(many - 1), 0));
    TestLogs.Replayed replayed = replay(log(decisions), ReplayRouters.NONE);
    assertThat(replayed.findings()).isEmpty();
    assertThat(replayed.result().records().statistics()).isEqualTo(many + 1L);
  }

  private static Statistics samples(int sequence) {
    var all = new EndpointStatistics[CATALOG.endpoints().size()];
    Arrays.fill(all, EndpointStatistics.builder().samples(sequence).build());
    return Statistics.of(sequence, all, Map.of());
  }

  /** Routers of one version, each of which refuses every request or selects nothing. */
  private record TestRouters(@Nullable String version, boolean refuses) implements ReplayRouters {
    @Override
    public Routers forCatalog(Catalog catalog) {
      RouterPlugin router =
          candidates ->
              refuses
                  ? new Selection.Refusal(ErrorCode.CONSTRAINT_FILTERED, "not today")
                  : Selection.PASS;
      return step -> router;
    }

    @Override
    public @Nullable String version(String plugin) {
      return version;
    }
  }

  private static byte[] logWithRouter() throws Exception {
    var step =
        new RouterStep("refusing", "1.0", RouterStep.EVERY_REQUEST, Json.Obj.EMPTY, Json.NULL);
    RoutingQuery query = TestLogs.query(CATALOG, 3).toBuilder().routers(List.of(step)).build();
    LoggedDecision withoutRouter = TestLogs.decision(CATALOG, Statistics.NONE, 3);
    RoutePlan plan =
        new Planner(CATALOG, new TestRouters("1.0", true).forCatalog(CATALOG))
            .plan(query, Statistics.NONE);
    return log(
        List.of(
            new LoggedDecision(
                "gen-r", CATALOG, Statistics.NONE, query, plan, withoutRouter.ending()),
            withoutRouter));
  }

  @Test
  @DisplayName("with the same router finds no difference")
  void sameRouter() throws Exception {
    assertThat(replay(logWithRouter(), new TestRouters("1.0", true)).findings()).isEmpty();
  }

  @Test
  @DisplayName("reports a missing router separately from differences")
  void missingRouter() throws Exception {
    TestLogs.Replayed replayed = replay(logWithRouter(), ReplayRouters.NONE);
    assertThat(replayed.findings())
        .singleElement()
        .isInstanceOfSatisfying(
            ReplayFinding.Incomparable.class,
            other -> {
              assertThat(other.id()).isEqualTo("gen-r");
              assertThat(other.plugin()).isEqualTo("refusing");
              assertThat(other.recordedVersion()).isEqualTo("1.0");
              assertThat(other.presentVersion()).isNull();
            });
    assertThat(replayed.result().identical()).isEqualTo(1);
    assertThat(replayed.result().isClean()).isFalse();
  }

  @Test
  @DisplayName("reports a router of another version only if its decision differs")
  void otherVersion() throws Exception {
    assertThat(replay(logWithRouter(), new TestRouters("2.0", true)).result().isClean()).isTrue();
    assertThat(replay(logWithRouter(), new TestRouters("2.0", false)).findings())
        .singleElement()
        .isInstanceOf(ReplayFinding.Incomparable.class);
    assertThat(replay(logWithRouter(), new TestRouters("1.0", false)).findings())
        .singleElement()
        .isInstanceOf(ReplayFinding.Difference.class);
  }
}
