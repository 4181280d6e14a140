package io.strowger.benchmarks;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger.Balance;
import io.strowger.core.ledger.Ledger.Claim;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.ledger.Payer;
import io.strowger.core.ledger.Reservation;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Period;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks that the ledger never grants beyond a limit and accounts for every nanodollar. Many
 * threads hold and settle as fast as they can on one account, all on one key and then all on the
 * next. Each key can pay for half of its holds. Bills are as large as their holds, so that a
 * settled grant beyond a limit shows in the balance.
 */
final class LedgerStress {
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");
  private static final long DEADLINE = Long.MAX_VALUE / 2;
  private static final int HOLDS_PER_KEY = 2_000;
  private static final int MAX_HOLD_NANOS = 199; // nanodollars
  private static final int MAX_OPEN_HOLDS = 4; // per thread

  private final BookLedger ledger = new BookLedger(new MemoryLedgerStore(), new SystemAmbient());
  private final Payer account = Payer.account(List.of());
  private final List<List<Payer>> payers = new ArrayList<>(); // by key
  private final int threads;
  private final long operations;
  private final AtomicLong startedOperations = new AtomicLong();
  private final AtomicLong billedNanos = new AtomicLong();
  private final AtomicLong grantedCount = new AtomicLong();

  LedgerStress(int threads, long operations) {
    this.threads = threads;
    this.operations = operations;
    var limit = new Usd((MAX_HOLD_NANOS + 1L) / 2 * HOLDS_PER_KEY / 2);
    for (long i = 0; i < operations; i += HOLDS_PER_KEY) {
      var budget = new Budget(Period.LIFETIME, limit, false);
      payers.add(List.of(new Payer(Payer.Kind.KEY, "k" + i, List.of(budget)), account));
    }
  }

  /**
   * @param drift the difference between the books and the bills, in nanodollars; 0 or more
   * @param overshoot the most that a key settled beyond its limit, in nanodollars
   * @param heldNanodollars what is still held at the end
   * @param elapsedNanos how long the run took, in nanoseconds
   */
  record Result(
      long granted,
      long refused,
      long drift,
      long overshoot,
      long heldNanodollars,
      long elapsedNanos) {
    boolean isSound() {
      return drift == 0 && overshoot == 0 && heldNanodollars == 0 && granted > 0 && refused > 0;
    }
  }

  static int run(PrintStream out) throws InterruptedException {
    Result result = new LedgerStress(64, 10_000_000).run();
    out.printf(
        Locale.ROOT,
        "64 threads, 10,000,000 holds requested in %.1f s: %,d granted, %,d refused,"
            + " drift %d, overshoot %d, held at the end %d%n",
        result.elapsedNanos() / 1e9,
        result.granted(),
        result.refused(),
        result.drift(),
        result.overshoot(),
        result.heldNanodollars());
    return result.isSound() ? 0 : 1;
  }

  Result run() throws InterruptedException {
    long start = System.nanoTime();
    var workers = new ArrayList<Thread>();
    for (int i = 0; i < threads; i++) {
      int seed = i;
      workers.add(Thread.ofPlatform().start(() -> work(seed)));
    }
    for (Thread thread : workers) {
      thread.join();
    }
    long elapsedNanos = System.nanoTime() - start;
    Balance accountBalance = ledger.balance(account, Period.LIFETIME, AT);
    long spentByKeys = 0;
    long overshoot = 0;
    for (List<Payer> keyPayers : payers) {
      Payer key = keyPayers.getFirst();
      long spent = ledger.balance(key, Period.LIFETIME, AT).settled().credits().nanos();
      overshoot = Math.max(overshoot, spent - key.budgets().getFirst().limit().nanos());
      spentByKeys += spent;
    }
    ledger.close();
    long drift = accountBalance.settled().credits().nanos() - billedNanos.get();
    return new Result(
        grantedCount.get(),
        operations - grantedCount.get(),
        Math.abs(drift) + Math.abs(spentByKeys - billedNanos.get()),
        overshoot,
        accountBalance.held().credits().nanos(),
        elapsedNanos);
  }

  private void work(int seed) {
    var random = new SplittableRandom(seed);
    var open = new ArrayDeque<Reservation>();
    for (long i = startedOperations.getAndIncrement();
        i < operations;
        i = startedOperations.getAndIncrement()) {
      List<Payer> keyPayers = payers.get((int) (i / HOLDS_PER_KEY));
      var amount = Charge.credits(new Usd(1 + random.nextInt(MAX_HOLD_NANOS)));
      switch (ledger.hold(new Claim(keyPayers, amount, AT, DEADLINE))) {
        case Outcome.Granted grant -> {
          grantedCount.incrementAndGet();
          open.add(grant.reservation());
        }
        case Outcome.Refused refusal -> {
          // the key cannot pay for it
        }
        case Outcome.Unavailable outage -> throw new IllegalStateException(outage.reason());
      }
      if (open.size() > MAX_OPEN_HOLDS) {
        end(open.remove(), random, i);
      }
    }
    open.forEach(reservation -> end(reservation, random, operations));
  }

  /** Settles most holds and releases some. */
  private void end(Reservation reservation, SplittableRandom random, long number) {
    if (random.nextInt(8) == 0) {
      reservation.release();
      return;
    }
    billedNanos.addAndGet(reservation.maxCharge().credits().nanos());
    var entry =
        new LedgerEntry(
            "gen-" + number,
            0,
            AT,
            "acme",
            "",
            CallRecord.Outcome.COMPLETE,
            Usage.NONE,
            reservation.maxCharge());
    reservation.settle(List.of(entry));
  }
}
