package io.strowger.stores.ledger;

import io.strowger.stores.ServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@link HistoryProperties} on a server. */
@Tag("full")
@Tag("long")
@DisplayName("Nodes on a server that are killed, lose power or lose their data")
class ServerHistoriesTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final int HISTORIES = 40;
  private static final int MAX_STEPS = 40;

  @Test
  @DisplayName("never spend more than the limit, and no line is lost or counted twice")
  void withinTheLimit(@TempDir Path directory) throws IOException {
    try (var cluster = Cluster.open(SERVER.url(), ServerExtension.USER, directory)) {
      for (int seed = 0; seed < HISTORIES; seed++) {
        List<ClusterModel.Step> steps = history(new Random(seed));
        try (var model =
            new ClusterModel(cluster.in(Files.createTempDirectory(directory, "history")))) {
          for (ClusterModel.Step step : steps) {
            model.apply(step);
            model.check();
          }
          model.checkAtEnd();
        } catch (AssertionError e) {
          throw new AssertionError("after " + steps, e);
        }
      }
    }
  }

  private static List<ClusterModel.Step> history(Random random) {
    ClusterModel.Action[] actions = ClusterModel.Action.values();
    var steps = new ArrayList<ClusterModel.Step>();
    for (int left = 1 + random.nextInt(MAX_STEPS); left > 0; left--) {
      steps.add(
          new ClusterModel.Step(
              actions[random.nextInt(actions.length)], random.nextInt(4), random.nextInt(401)));
    }
    return steps;
  }
}
