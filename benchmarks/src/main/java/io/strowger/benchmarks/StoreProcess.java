package io.strowger.benchmarks;

import io.strowger.benchmarks.http.ChildProcess;
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
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Opens a durable store, settles requests in it and prints how long opening took; then closes it,
 * or leaves it open for its parent to kill the process.
 */
final class StoreProcess {
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
