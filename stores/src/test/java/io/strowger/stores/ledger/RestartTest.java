package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.strowger.spi.provider.Credential;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.generations.JdbcGenerations;
import io.strowger.stores.journal.Journal;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A start after many requests")
class RestartTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir private Path directory;
  private final TestAccount spending = TestAccount.fresh();

  @Test
  @Tag("full")
  @Tag("long")
  @DisplayName(
      "reads nothing that is in the database already, whether the process was closed or killed")
  void restarts() throws IOException {
    int requests = 60_000;
    var settings =
        new DatabaseSettings("jdbc:h2:file:" + directory.resolve("books"), null, Credential.NONE);
    var ambient = TestAmbient.at("2026-11-21T12:00:00Z");
    try (Database database = Database.open(settings, ambient)) {
      long few = runProcess(database, ambient, requests, true);
      long closed = runProcess(database, ambient, requests, false);
      long killed = runProcess(database, ambient, 1, true);
      // reading an item would take more than a kilobyte, and there are 60,000 and 120,000
      assertThat(closed - few).isLessThan(100L * requests);
      assertThat(killed - few).isLessThan(100L * requests);
      var lines = new ArrayList<LedgerLines.Line>();
      LedgerLines.read(database, lines::add);
      assertThat(lines).hasSize(2 * requests + 1);
    }
    ambient.assertNoThreadsLeft();
  }

  /**
   * Runs a process that starts, spends, writes its lines to the database and ends.
   *
   * @return the bytes that its start allocated
   */
  private long runProcess(Database database, TestAmbient ambient, int spends, boolean closes)
      throws IOException {
    try (Journal journal =
        Journal.open(directory.resolve("node"), ambient, Duration.ofMinutes(10))) {
      var records = new JdbcGenerations(database, journal);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      JdbcLedger ledger = JdbcLedger.open(database, journal, ambient, records);
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      for (int i = 0; i < spends; i++) {
        spending.spend(ledger, 1);
      }
      assertThat(ledger.flush()).isTrue();
      if (closes) {
        ledger.close();
      } else {
        ledger.stop();
      }
      return allocated;
    }
  }
}
