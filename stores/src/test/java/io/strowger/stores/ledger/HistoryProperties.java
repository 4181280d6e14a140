package io.strowger.stores.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Histories of one to four nodes that spend one budget. Whatever happens, all of them together stay
 * within the limit, and in the end the books contain what was spent.
 */
@Label("Nodes that are killed, lose power or lose their data")
@SuppressWarnings("NullAway.Init") // before the container
class HistoryProperties {
  private static Path directory;
  private static Cluster cluster;

  @Provide
  Arbitrary<List<ClusterModel.Step>> histories() {
    return Combinators.combine(
            Arbitraries.of(ClusterModel.Action.values()),
            Arbitraries.integers().between(0, 3),
            Arbitraries.longs().between(0, 400))
        .as(ClusterModel.Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  @BeforeContainer
  static void open() throws IOException {
    directory = Files.createTempDirectory("strowger-histories");
    cluster = Cluster.open("jdbc:h2:file:" + directory.resolve("books"), null, directory);
  }

  @AfterContainer
  static void close() {
    cluster.close();
    ClusterModel.erase(directory);
  }

  @Tag("full")
  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  @Label("never spend more than the limit, and no line is lost or counted twice")
  void withinTheLimit(@ForAll("histories") List<ClusterModel.Step> steps) throws IOException {
    check(steps);
  }

  @Property(tries = 15, shrinking = ShrinkingMode.BOUNDED)
  @Label("never spend more than the limit in a short run, and no line is lost")
  void withinTheLimitInAShortRun(@ForAll("histories") List<ClusterModel.Step> steps)
      throws IOException {
    check(steps);
  }

  private static void check(List<ClusterModel.Step> steps) throws IOException {
    Path historyDirectory = Files.createTempDirectory(directory, "history");
    try (var model = new ClusterModel(cluster.in(historyDirectory))) {
      for (ClusterModel.Step step : steps) {
        model.apply(step);
        model.check();
      }
      model.checkAtEnd();
    }
  }
}
