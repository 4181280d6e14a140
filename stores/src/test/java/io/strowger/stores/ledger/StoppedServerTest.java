package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.ledger.Payer;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.stores.JdbcStores;
import io.strowger.tck.TestAmbient;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Stops all processes of a server by SIGSTOP: sockets stay open, and nothing answers. */
@Tag("full")
@DisplayName("A node whose server's processes are stopped")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no such signal")
class StoppedServerTest {
  private static final Usd LIMIT = new Usd(1_000_000_000L);
  private static final long COST = 70;
  private static final Duration STOPPED = Duration.ofSeconds(3);

  private final TestAmbient ambient = TestAmbient.realTime();
  private final Payer knownPayer = payer();
  private final Payer newPayer = payer();
  private long spent;

  private static Payer payer() {
    var budget = new Budget(Period.LIFETIME, LIMIT, false);
    return new Payer(Payer.Kind.KEY, UUID.randomUUID().toString(), List.of(budget));
  }

  private static JdbcStores stores(EmbeddedPostgres server, Path directory, TestAmbient ambient) {
    String url = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
    var settings = new JdbcStores.Settings(url, "postgres", Credential.NONE, directory);
    return JdbcStores.open(settings, new JacksonCodec(), ambient);
  }

  private Outcome hold(Ledger ledger, Payer payer) {
    long deadline = ambient.nanoTime() + Duration.ofSeconds(60).toNanos();
    return ledger.hold(
        new Ledger.Claim(List.of(payer), Charge.credits(new Usd(COST)), ambient.now(), deadline));
  }

  private void spend(Ledger ledger) {
    if (hold(ledger, knownPayer) instanceof Outcome.Granted granted) {
      granted.reservation().settle(List.of(entry()));
      spent += COST;
    } else {
      throw new AssertionError("the node must have a slice");
    }
  }

  private static LedgerEntry entry() {
    return new LedgerEntry(
        "gen-" + UUID.randomUUID(),
        0,
        TestAccount.NOON,
        "acme/large",
        "",
        CallRecord.Outcome.COMPLETE,
        Usage.NONE,
        Charge.credits(new Usd(COST)));
  }

  @Test
  @DisplayName("spends from a slice that it has, is unavailable without one, and loses nothing")
  void stopped(@TempDir Path directory) throws Exception {
    Path data = directory.resolve("data");
    try (EmbeddedPostgres server =
            EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(true).start();
        JdbcStores stores = stores(server, directory.resolve("node"), ambient);
        JdbcStores others = stores(server, directory.resolve("other"), ambient);
        var ledger = new BookLedger(stores.ledger(), ambient)) {
      spend(ledger);
      List<String> processes = processes(data);
      signal("-STOP", processes);
      try {
        whileStopped(ledger);
      } finally {
        signal("-CONT", processes);
      }
      Outcome outcome = hold(ledger, newPayer);
      for (int i = 0; i < 20 && outcome instanceof Outcome.Unavailable; i++) {
        outcome = hold(ledger, newPayer);
      }
      assertThat(outcome).isInstanceOf(Outcome.Granted.class);
      assertBooked(new TestAccount(new Posting.Account(knownPayer.toString(), "all")), others);
    }
    ambient.assertNoThreadsLeft();
  }

  private void whileStopped(Ledger ledger) {
    long due = System.nanoTime();
    for (int i = 0; i < STOPPED.toMillis(); i++) { // one each millisecond
      while (System.nanoTime() < due) {
        Thread.onSpinWait();
      }
      due += Duration.ofMillis(1).toNanos();
      spend(ledger);
    }
    assertThat(hold(ledger, newPayer)).isInstanceOf(Outcome.Unavailable.class);
  }

  private void assertBooked(TestAccount spending, JdbcStores others) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    long known = 0;
    while (known < spent && System.nanoTime() < end) {
      known = spending.spentElsewhere(others.ledger());
    }
    assertThat(known).as("the sum of the books").isEqualTo(spent);
  }

  /** Returns the main process of the server and all that it started. */
  private static List<String> processes(Path data) throws IOException {
    long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
    ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
    var all = new ArrayList<String>();
    all.add(Long.toString(pid)); // first, since it would start others
    server.descendants().forEach(process -> all.add(Long.toString(process.pid())));
    return all;
  }

  private static void signal(String signal, List<String> processes) throws Exception {
    var command = new ArrayList<>(List.of("kill", signal));
    command.addAll(processes);
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
