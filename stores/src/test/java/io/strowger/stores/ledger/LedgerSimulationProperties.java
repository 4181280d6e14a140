package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.stores.ledger.LedgerSimulation.Action;
import io.strowger.stores.ledger.LedgerSimulation.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Histories of two or three ledgers that spend from the same budgets through one database, while
 * days, weeks and months end and come back, limits change, nodes start and end, and requests and
 * responses are lost. Whatever happens, no hold is granted beyond a limit, and the books have every
 * bill once.
 */
@Label("Several ledgers on one database")
@SuppressWarnings("NullAway.Init") // before the container
class LedgerSimulationProperties {
  private static Path directory;
  private static Cluster cluster;
  private static StripeThreads threads;
  private static int granted;

  @Provide
  Arbitrary<List<Step>> histories() {
    Arbitrary<Action> actions =
        Arbitraries.frequency(
            Tuple.of(30, Action.HOLD),
            Tuple.of(20, Action.HOLD_LITTLE),
            Tuple.of(8, Action.HOLD_ALL),
            Tuple.of(20, Action.SETTLE),
            Tuple.of(3, Action.RELEASE),
            Tuple.of(5, Action.IDLE),
            Tuple.of(2, Action.JUMP),
            Tuple.of(1, Action.LIMIT),
            Tuple.of(4, Action.FLUSH),
            Tuple.of(1, Action.FLUSH_FAILS),
            Tuple.of(1, Action.FLUSH_UNANSWERED),
            Tuple.of(2, Action.REQUESTS_LOST),
            Tuple.of(2, Action.RESPONSES_LOST),
            Tuple.of(2, Action.KILL),
            Tuple.of(1, Action.POWER_LOSS),
            Tuple.of(1, Action.DIRECTORY_LOST),
            Tuple.of(1, Action.CLOSE),
            Tuple.of(2, Action.OPERATOR));
    return Arbitraries.integers()
        .between(2, 3)
        .flatMap(
            nodes ->
                Combinators.combine(
                        actions,
                        Arbitraries.integers()
                            .between(0, nodes - 1)
                            .withDistribution(RandomDistribution.uniform()),
                        Arbitraries.longs()
                            .between(0, 150)
                            .withDistribution(RandomDistribution.uniform()),
                        Arbitraries.of(true, false, false),
                        Arbitraries.integers()
                            .between(0, 31)
                            .withDistribution(RandomDistribution.uniform()))
                    .as(Step::new)
                    .list()
                    .ofMinSize(30)
                    .ofMaxSize(70));
  }

  @BeforeContainer
  static void open() throws IOException {
    directory = Files.createTempDirectory("strowger-nodes");
    cluster = Cluster.open("jdbc:h2:file:" + directory.resolve("books"), null, directory);
    threads = new StripeThreads();
  }

  @AfterContainer
  static void close() {
    threads.close();
    cluster.close();
    ClusterModel.erase(directory);
    assertThat(granted).as("holds that were granted").isGreaterThan(100);
  }

  @Tag("full")
  @Property(tries = 40, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
  @Label("grant nothing beyond a limit, and no bill is lost or counted twice")
  void withinTheLimits(@ForAll("histories") List<Step> history) throws IOException {
    Path historyDirectory = Files.createTempDirectory(directory, "history");
    try (var simulation = new LedgerSimulation(cluster.in(historyDirectory), threads)) {
      for (Step step : history) {
        simulation.apply(step);
      }
      simulation.checkAtEnd();
      granted += simulation.granted();
    }
  }
}
