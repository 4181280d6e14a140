package io.strowger.core.ledger;

import io.strowger.core.attempt.Sleepless;
import io.strowger.core.ledger.Ledger.Balance;
import io.strowger.core.ledger.Ledger.Claim;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Words for the tests of the ledger; all amounts are nanodollars. */
final class Till implements AutoCloseable {
  static final long FAR = Long.MAX_VALUE / 2;

  final TestAmbient ambient;
  final BookLedger ledger;
  private final Map<List<Payer>, List<Payer>> callers = new ConcurrentHashMap<>();
  private final AtomicInteger acts = new AtomicInteger();

  Till() {
    this(new MemoryLedgerStore(), TestAmbient.at("2026-11-21T12:00:00Z"));
  }

  Till(LedgerStore store, TestAmbient ambient) {
    this(store, ambient, new Stripes(1));
  }

  /** Its holds wait for the store as long as a test takes: that is real time. */
  Till(LedgerStore store, TestAmbient ambient, Stripes stripes) {
    this(ambient, new BookLedger(store, new Sleepless(ambient), stripes, Duration.ofMinutes(5)));
  }

  /** Its holds wait for the store as long as those of a gateway. */
  static Till asServed(LedgerStore store, TestAmbient ambient) {
    return new Till(ambient, new BookLedger(store, new Sleepless(ambient), new Stripes(1)));
  }

  private Till(TestAmbient ambient, BookLedger ledger) {
    this.ambient = ambient;
    this.ledger = ledger;
  }

  static Payer key(Budget... budgets) {
    return new Payer(Payer.Kind.KEY, "a", List.of(budgets));
  }

  static Payer account(Budget... budgets) {
    return Payer.account(List.of(budgets));
  }

  static Budget all(long limit) {
    return new Budget(Period.LIFETIME, new Usd(limit), false);
  }

  static Budget per(Period period, long limit) {
    return new Budget(period, new Usd(limit), false);
  }

  static Budget withByok(long limit) {
    return new Budget(Period.LIFETIME, new Usd(limit), true);
  }

  static Charge nanos(long credits) {
    return Charge.credits(new Usd(credits));
  }

  static Charge nanos(long credits, long byok) {
    return new Charge(new Usd(credits), new Usd(byok));
  }

  Outcome hold(Charge atMost, Payer... payers) {
    List<Payer> same = callers.computeIfAbsent(List.of(payers), first -> first);
    return ledger.hold(new Claim(same, atMost, ambient.now(), FAR));
  }

  Outcome hold(long atMost, Payer... payers) {
    return hold(nanos(atMost), payers);
  }

  Reservation granted(long atMost, Payer... payers) {
    return granted(hold(atMost, payers));
  }

  static Reservation granted(Outcome outcome) {
    if (outcome instanceof Outcome.Granted yes) {
      return yes.reservation();
    }
    throw new AssertionError("expected a grant, got " + outcome);
  }

  void settle(Reservation held, long credits) {
    held.settle(List.of(line(nanos(credits))));
  }

  /** A line of the books with a number of its own. */
  LedgerEntry line(Charge charge) {
    return new LedgerEntry(
        "gen-1",
        acts.getAndIncrement(),
        ambient.now(),
        "acme",
        "",
        CallRecord.Outcome.COMPLETE,
        Usage.NONE,
        charge);
  }

  Balance balance(Payer payer, Period period) {
    return ledger.balance(payer, period, ambient.now());
  }

  /** Settled, held and overrun of all time. */
  List<Long> standing(Payer payer) {
    Balance now = balance(payer, Period.LIFETIME);
    return List.of(
        now.settled().credits().nanos(), now.held().credits().nanos(), now.overrun().nanos());
  }

  @Override
  public void close() {
    ledger.close();
    ambient.assertNoThreadsLeft();
  }
}
