package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A process that is killed")
class KilledProcessTest {
  private static final int KILLS = 20;
  private static final int THREADS = 8;

  @TempDir private Path directory;

  private Running start(String key, int acts) throws IOException {
    String url = "jdbc:h2:file:" + directory.resolve("books");
    return Running.start(
        List.of(url, "-", directory.toString(), key, "100000000", "" + THREADS, "" + acts));
  }

  @Test
  @DisplayName("at twenty moments under load loses no line it settled, and none counts twice")
  void kills() throws Exception {
    String key = UUID.randomUUID().toString();
    var random = new Random(7);
    int known = 0;
    int settled = 0;
    for (int kill = 0; kill <= KILLS; kill++) {
      try (Running process = start(key, kill < KILLS ? 1_000_000 : 0)) {
        int found = process.ready();
        // a thread may have settled and not come to say so
        assertThat(found - known).as("kill %d", kill).isBetween(settled, settled + THREADS);
        known = found;
        process.go();
        settled = kill < KILLS ? process.killAfter(random.nextInt(3000)) : 0;
      }
    }
    assertThat(known).isPositive();
    try (Cluster cluster =
        Cluster.open("jdbc:h2:file:" + directory.resolve("books"), null, directory)) {
      List<Long> lines =
          cluster
              .database()
              .ask(
                  "count lines",
                  handle ->
                      handle
                          .createQuery(
                              "SELECT COUNT(*) FROM ledger_entry UNION ALL"
                                  + " SELECT COUNT(DISTINCT generation) FROM ledger_entry")
                          .mapTo(Long.class)
                          .list());
      assertThat(lines).containsExactly((long) known, (long) known);
    }
  }
}
