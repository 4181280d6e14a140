package io.strowger.core.decisionlog;

import static io.strowger.core.decisionlog.LogWords.CATALOG;
import static io.strowger.core.decisionlog.LogWords.OTHER;
import static io.strowger.core.decisionlog.LogWords.broken;
import static io.strowger.core.decisionlog.LogWords.decision;
import static io.strowger.core.decisionlog.LogWords.log;
import static io.strowger.core.decisionlog.LogWords.replay;
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
  @DisplayName("of what was decided, over catalogs that were swapped, finds nothing")
  void identical() throws Exception {
    var decisions = new ArrayList<LoggedDecision>();
    for (int i = 0; i < 50; i++) {
      Catalog catalog = i % 3 == 0 ? OTHER : CATALOG;
      decisions.add(decision(catalog, broken(1 + i / 5, catalog, i / 5 % 2), i));
    }
    LogWords.Replayed replayed = replay(log(decisions), ReplayRouters.NONE);
    assertThat(replayed.findings()).isEmpty();
    assertThat(replayed.result().isClean()).isTrue();
    assertThat(replayed.result().identical()).isEqualTo(50);
    assertThat(replayed.result().records().catalogs()).isEqualTo(2);
    assertThat(replayed.result().records().statistics()).isBetween(10L, 20L);
  }

  @Test
  @DisplayName("finds one decision among many that says something else")
  void planted() throws Exception {
    var decisions = new ArrayList<LoggedDecision>();
    for (int i = 0; i < 20; i++) {
      decisions.add(decision(CATALOG, Statistics.NONE, i));
    }
    LoggedDecision honest = decisions.get(7);
    var candidates = new ArrayList<>(((RoutePlan.Attempts) honest.plan()).candidates());
    Collections.swap(candidates, 0, 1);
    decisions.set(7, with(honest, candidates));

    LogWords.Replayed replayed = replay(log(decisions), ReplayRouters.NONE);
    assertThat(replayed.result().identical()).isEqualTo(19);
    assertThat(replayed.result().isClean()).isFalse();
    assertThat(replayed.findings())
        .singleElement()
        .isInstanceOfSatisfying(
            ReplayFinding.Difference.class,
            difference -> {
              assertThat(difference.id()).isEqualTo("gen-7");
              assertThat(difference.expected()).isEqualTo(LoggedPlan.of(decisions.get(7).plan()));
              assertThat(difference.actual()).isEqualTo(LoggedPlan.of(honest.plan()));
            });
  }

  private static LoggedDecision with(LoggedDecision decision, List<PlannedAttempt> candidates) {
    return new LoggedDecision(
        decision.id(),
        decision.catalog(),
        decision.statistics(),
        decision.query(),
        new RoutePlan.Attempts(candidates, List::of),
        decision.ending());
  }

  @Test
  @DisplayName("tells apart candidates that differ in key, place or probe only")
  void details() throws Exception {
    LoggedDecision honest = decision(CATALOG, Statistics.NONE, 1);
    PlannedAttempt first = ((RoutePlan.Attempts) honest.plan()).candidates().get(0);
    for (PlannedAttempt other :
        List.of(
            new PlannedAttempt(first.endpoint(), 0, "k1", false),
            new PlannedAttempt(first.endpoint(), 1, null, false),
            new PlannedAttempt(first.endpoint(), 0, null, true))) {
      var candidates = new ArrayList<>(((RoutePlan.Attempts) honest.plan()).candidates());
      candidates.set(0, other);
      byte[] log = log(List.of(with(honest, candidates)));
      assertThat(replay(log, ReplayRouters.NONE).result().different()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("needs the statistics: without a breaker the plan would be another")
  void statisticsMatter() throws Exception {
    LoggedDecision made = decision(CATALOG, broken(1, CATALOG, 0), 5);
    RoutePlan without = new Planner(CATALOG).plan(LogWords.ask(CATALOG, 5));
    assertThat(LoggedPlan.of(made.plan())).isNotEqualTo(LoggedPlan.of(without));
    assertThat(replay(log(List.of(made)), ReplayRouters.NONE).result().isClean()).isTrue();
  }

  @Test
  @DisplayName("knows statistics of long ago as long as the writer thinks so, and no longer")
  void forgets() throws Exception {
    var decisions = new ArrayList<LoggedDecision>();
    int many = CatalogLogState.MAX_STATISTICS + 2;
    for (int i = 1; i <= many; i++) {
      decisions.add(decision(CATALOG, samples(i), i));
    }
    decisions.add(decision(CATALOG, samples(1), 0));
    decisions.add(decision(CATALOG, samples(many - 1), 0));
    LogWords.Replayed replayed = replay(log(decisions), ReplayRouters.NONE);
    assertThat(replayed.findings()).isEmpty();
    assertThat(replayed.result().records().statistics()).isEqualTo(many + 1L);
  }

  private static Statistics samples(int sequence) {
    var all = new EndpointStatistics[CATALOG.endpoints().size()];
    Arrays.fill(all, EndpointStatistics.builder().samples(sequence).build());
    return Statistics.of(sequence, all, Map.of());
  }

  /** A router that turns the order of what it is given around, in some version. */
  private record Turning(@Nullable String version, boolean works) implements ReplayRouters {
    @Override
    public Routers forCatalog(Catalog catalog) {
      RouterPlugin turning =
          candidates ->
              works
                  ? new Selection.Refusal(ErrorCode.CONSTRAINT_FILTERED, "not today")
                  : Selection.PASS;
      return step -> turning;
    }

    @Override
    public @Nullable String version(String plugin) {
      return version;
    }
  }

  private static byte[] routed() throws Exception {
    var step =
        new RouterStep("turning", "1.0", RouterStep.EVERY_REQUEST, Json.Obj.EMPTY, Json.NULL);
    RoutingQuery query = LogWords.ask(CATALOG, 3).toBuilder().routers(List.of(step)).build();
    LoggedDecision plain = LogWords.decision(CATALOG, Statistics.NONE, 3);
    RoutePlan plan =
        new Planner(CATALOG, new Turning("1.0", true).forCatalog(CATALOG))
            .plan(query, Statistics.NONE);
    return log(
        List.of(
            new LoggedDecision("gen-r", CATALOG, Statistics.NONE, query, plan, plain.ending()),
            plain));
  }

  @Test
  @DisplayName("with the router that took part finds nothing")
  void sameRouter() throws Exception {
    assertThat(replay(routed(), new Turning("1.0", true)).findings()).isEmpty();
  }

  @Test
  @DisplayName("tells a router that is missing from a difference")
  void missingRouter() throws Exception {
    LogWords.Replayed replayed = replay(routed(), ReplayRouters.NONE);
    assertThat(replayed.findings())
        .singleElement()
        .isInstanceOfSatisfying(
            ReplayFinding.Incomparable.class,
            other -> {
              assertThat(other.id()).isEqualTo("gen-r");
              assertThat(other.plugin()).isEqualTo("turning");
              assertThat(other.recordedVersion()).isEqualTo("1.0");
              assertThat(other.presentVersion()).isNull();
            });
    assertThat(replayed.result().identical()).isEqualTo(1);
    assertThat(replayed.result().isClean()).isFalse();
  }

  @Test
  @DisplayName("takes a router of another version for what it is only when it decides otherwise")
  void otherVersion() throws Exception {
    assertThat(replay(routed(), new Turning("2.0", true)).result().isClean()).isTrue();
    assertThat(replay(routed(), new Turning("2.0", false)).findings())
        .singleElement()
        .isInstanceOf(ReplayFinding.Incomparable.class);
    assertThat(replay(routed(), new Turning("1.0", false)).findings())
        .singleElement()
        .isInstanceOf(ReplayFinding.Difference.class);
  }
}
