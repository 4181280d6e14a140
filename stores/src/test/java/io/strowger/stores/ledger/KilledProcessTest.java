package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.stores.KillCount;
import io.strowger.stores.ServerExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@DisplayName("A process that is killed")
@Timeout(600) // it starts 28 processes, one after the other
class KilledProcessTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final int THREADS = 8;

  @TempDir private Path directory;

  private RunningNodeProcess start(String url, String user, String key, int requests)
      throws IOException {
    return RunningNodeProcess.start(
        List.of(url, user, directory.toString(), key, "100000000", "" + THREADS, "" + requests));
  }

  @Test
  @DisplayName("at random moments under load loses no settled line, and none counts twice")
  void kills() throws Exception {
    String url = "jdbc:h2:file:" + directory.resolve("books");
    int known = spendAndKill(url, "-", KillCount.of(20));
    assertEachLineOnce(url, null, known);
  }

  @Test
  @DisplayName("while a server executes its last statement loses no settled line either")
  void killsOnServer() throws Exception {
    int known = spendAndKill(SERVER.url(), ServerExtension.USER, KillCount.of(8));
    assertEachLineOnce(SERVER.url(), ServerExtension.USER, known);
  }

  /** Starts and kills a process several times; returns how many requests were settled in all. */
  private int spendAndKill(String url, String user, int kills) throws Exception {
    String key = UUID.randomUUID().toString();
    var random = new Random(7);
    int known = 0;
    int settled = 0;
    for (int kill = 0; kill <= kills; kill++) {
      try (RunningNodeProcess process = start(url, user, key, kill < kills ? 1_000_000 : 0)) {
        int found = process.awaitReady();
        // each thread may have settled one request without reporting it
        assertThat(found - known).as("kill %d", kill).isBetween(settled, settled + THREADS);
        known = found;
        process.begin();
        settled = kill < kills ? process.killAfter(random.nextInt(3000)) : 0;
      }
    }
    return known;
  }

  private void assertEachLineOnce(String url, @Nullable String user, int known) {
    assertThat(known).isPositive();
    try (Cluster cluster = Cluster.open(url, user, directory)) {
      List<String> generations =
          cluster.lines().stream().map(line -> line.entry().generation()).toList();
      assertThat(generations).hasSize(known).doesNotHaveDuplicates();
    }
  }
}
