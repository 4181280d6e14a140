package io.strowger.benchmarks;

import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.TemporaryFolder;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.JdbcStores;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures how long a durable store takes to open after many requests, once when its process closed
 * it and once when the process was killed, and how much disk space the requests take. Every start
 * is in a new process.
 */
final class Restarts {
  private static final int REQUESTS = 300_000;
  private static final double CLEAN_SECONDS = 3;
  private static final double KILLED_SECONDS = 5;

  private Restarts() {}

  /**
   * @param args the number of requests; 300,000 when empty
   * @return the exit code: 1 when a start takes longer than its bound, 2 when the argument is not a
   *     number
   */
  static int run(String[] args, PrintStream out) throws IOException {
    int requests;
    try {
      requests = args.length == 0 ? REQUESTS : Integer.parseInt(args[0]);
    } catch (NumberFormatException e) {
      out.println("restart takes the number of requests, not " + args[0]);
      return 2;
    }
    boolean targetsMet = measureRestart(true, requests, CLEAN_SECONDS, out);
    targetsMet &= measureRestart(false, requests, KILLED_SECONDS, out);
    return targetsMet ? 0 : 1;
  }

  private static boolean measureRestart(
      boolean closeStore, int requests, double maxSeconds, PrintStream out) throws IOException {
    try (var folder = TemporaryFolder.create("strowger-restart")) {
      runProcess(folder.path(), requests, closeStore);
      long database = Files.size(folder.path().resolve("gateway.mv.db"));
      double seconds = runProcess(folder.path(), 0, true) / 1e9;
      out.printf(
          Locale.ROOT,
          "%d requests, %s: open again after %.1f s (at most %.0f); database %.2f MB and journal"
              + " %.2f MB per 1,000%n",
          requests,
          closeStore ? "closed" : "killed",
          seconds,
          maxSeconds,
          database / 1e3 / requests,
          journalBytes(folder.path()) / 1e3 / requests);
      return seconds <= maxSeconds;
    }
  }

  /** Opens the store in a new process and returns how long that took, in nanoseconds. */
  private static long runProcess(Path folder, int requests, boolean close) throws IOException {
    String main = StoreProcess.class.getName();
    String count = Integer.toString(requests);
    try (ChildProcess child =
        ChildProcess.start(main, folder.toString(), count, Boolean.toString(close))) {
      return Long.parseLong(child.uri().getSchemeSpecificPart());
    }
  }

  private static long journalBytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /**
   * Opens a durable store, settles requests in it and prints how long opening took; then closes it,
   * or leaves it open for its parent to kill the process.
   */
  static final class StoreProcess {
    private static final int MAX_REQUESTS_PER_SECOND = 10_000;
    private static final int RECORD_BYTES = 210;
    private static final List<Posting.Account> ACCOUNTS = accounts();

    private StoreProcess() {}

    private static List<Posting.Account> accounts() {
      var accounts = new ArrayList<Posting.Account>();
      String key = "key:" + "0123456789abcdef".repeat(4);
      for (String payer : List.of(key, "account:default")) {
        for (String window : List.of("all", "2026-11-21", "2026-W47", "2026-11")) {
          accounts.add(new Posting.Account(payer, window));
        }
      }
      return accounts;
    }

    /**
     * Runs the process until its parent ends it.
     *
     * @param args the directory, how many requests are settled, and whether the store is closed
     */
    public static void main(String[] args) throws InterruptedException {
      Path directory = Path.of(args[0]);
      int requests = Integer.parseInt(args[1]);
      var settings =
          new JdbcStores.Settings(
              "jdbc:h2:file:" + directory.resolve("gateway"), null, Credential.NONE, directory);
      long before = System.nanoTime();
      JdbcStores stores = JdbcStores.open(settings, new JacksonCodec(), new SystemAmbient());
      long openNanos = System.nanoTime() - before;
      long start = System.nanoTime();
      for (int i = 0; i < requests; i++) {
        if (i % 100 == 0) {
          long pauseNanos =
              start + TimeUnit.SECONDS.toNanos(i) / MAX_REQUESTS_PER_SECOND - System.nanoTime();
          TimeUnit.NANOSECONDS.sleep(Math.max(0, pauseNanos));
        }
        stores.ledger().append(posting(i, Instant.now()));
      }
      if (Boolean.parseBoolean(args[2])) {
        stores.close();
      }
      ChildProcess.announceAndWait("store:" + openNanos);
    }

    private static Posting posting(int number, Instant now) {
      String id = "gen-" + now.getEpochSecond() + "-" + (9_000_000_000_000_000_000L + number);
      var entry =
          new LedgerEntry(
              id,
              0,
              now,
              "acme/large@alpha/fp16",
              "",
              CallRecord.Outcome.COMPLETE,
              Usage.builder().freshInput(1_200).outputText(350).build(),
              Charge.credits(new Usd(1_900_000)));
      var record = new Generation(id, "account:default", now, new byte[RECORD_BYTES], null);
      return new Posting(List.of(entry), ACCOUNTS, record);
    }
  }
}
