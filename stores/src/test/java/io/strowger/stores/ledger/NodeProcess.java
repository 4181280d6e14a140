package io.strowger.stores.ledger;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.ledger.Reservation;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Period;
import io.strowger.stores.JdbcStores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A gateway's ledger in a process of its own. Prints {@code ready} and what has been spent, waits
 * for a line, and then spends: it prints a line for every request that was settled, and in the end
 * how many those were. Then it ends properly.
 */
public final class NodeProcess {
  /** What one request costs, in nanodollars. */
  static final long COST = 1_000_000_000L;

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final Ledger ledger;
  private final Payer payer;
  private final PrintStream out;
  private final AtomicInteger served = new AtomicInteger();

  private NodeProcess(Ledger ledger, Payer payer, PrintStream out) {
    this.ledger = ledger;
    this.payer = payer;
    this.out = out;
  }

  /**
   * @param args the URL, user or -, directory, key, how many requests the key can pay for, threads,
   *     requests of each thread
   */
  public static void main(String[] args) throws Exception {
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var ambient = new SystemAmbient();
    var settings =
        new JdbcStores.Settings(
            args[0], args[1].equals("-") ? null : args[1], Credential.NONE, Path.of(args[2]));
    try (JdbcStores stores = JdbcStores.open(settings, new JacksonCodec(), ambient);
        var ledger = new BookLedger(stores.ledger(), ambient)) {
      var budget = new Budget(Period.LIFETIME, new Usd(Long.parseLong(args[4]) * COST), false);
      var payer = new Payer(Payer.Kind.KEY, args[3], List.of(budget));
      Ledger.Balance balance = ledger.balance(payer, Period.LIFETIME, ambient.now());
      out.println("ready " + balance.settled().credits().nanos() / COST);
      var process = new NodeProcess(ledger, payer, out);
      process.run(in, Integer.parseInt(args[5]), Integer.parseInt(args[6]));
    }
    out.println("closed");
  }

  private void run(BufferedReader in, int threads, int requests)
      throws IOException, InterruptedException {
    in.readLine();
    var all = new ArrayList<Thread>();
    for (int t = 0; t < threads; t++) {
      all.add(
          Thread.startVirtualThread(
              () -> {
                for (int i = 0; i < requests; i++) {
                  request();
                }
              }));
    }
    for (Thread thread : all) {
      thread.join();
    }
    out.println("served " + served.get());
  }

  /** Holds and settles the money of one request; tries again while the ledger is unavailable. */
  private void request() {
    Instant until = Instant.now().plus(TIMEOUT);
    Ledger.Outcome outcome = hold();
    while (outcome instanceof Ledger.Outcome.Unavailable && Instant.now().isBefore(until)) {
      outcome = hold();
    }
    switch (outcome) {
      case Ledger.Outcome.Granted(Reservation reservation) -> {
        reservation.settle(List.of(entry()));
        served.incrementAndGet();
        out.println("settled");
      }
      case Ledger.Outcome.Refused refused -> {}
      case Ledger.Outcome.Unavailable(String reason) -> out.println("unavailable " + reason);
    }
  }

  private Ledger.Outcome hold() {
    Instant now = Instant.now();
    return ledger.hold(
        new Ledger.Claim(
            List.of(payer),
            Charge.credits(new Usd(COST)),
            now,
            System.nanoTime() + TIMEOUT.toNanos()));
  }

  private static LedgerEntry entry() {
    return new LedgerEntry(
        "gen-" + UUID.randomUUID(),
        0,
        Instant.now(),
        "acme/large",
        "",
        CallRecord.Outcome.COMPLETE,
        Usage.NONE,
        Charge.credits(new Usd(COST)));
  }
}
