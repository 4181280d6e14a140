package io.strowger.core.ledger;

import io.strowger.core.attempt.EndlessSleepAmbient;
import io.strowger.core.authentication.Caller;
import io.strowger.core.ledger.Ledger.Balance;
import io.strowger.core.ledger.Ledger.Claim;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.core.money.RequestBudget;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A ledger under test with helpers to hold and settle; all amounts are in nanodollars. */
final class LedgerFixture implements AutoCloseable {
  static final long FAR_DEADLINE = Long.MAX_VALUE / 2;

  final TestAmbient ambient;
  final BookLedger ledger;
  private final Map<List<Payer>, List<Payer>> callers = new ConcurrentHashMap<>();
  private final AtomicInteger nextEntry = new AtomicInteger();

  LedgerFixture() {
    this(new MemoryLedgerStore(), TestAmbient.at("2026-11-21T12:00:00Z"));
  }

  LedgerFixture(LedgerStore store, TestAmbient ambient) {
    this(store, ambient, new Stripes(1));
  }

  /**
   * Creates a ledger whose holds wait for the store for five minutes, longer than any test takes.
   */
  LedgerFixture(LedgerStore store, TestAmbient ambient, Stripes stripes) {
    this(
        ambient,
        new BookLedger(store, new EndlessSleepAmbient(ambient), stripes, Duration.ofMinutes(5)));
  }

  /** Creates a ledger whose holds wait for the store as long as those of a gateway. */
  static LedgerFixture withGatewayTimeout(LedgerStore store, TestAmbient ambient) {
    return new LedgerFixture(
        ambient, new BookLedger(store, new EndlessSleepAmbient(ambient), new Stripes(1)));
  }

  private LedgerFixture(TestAmbient ambient, BookLedger ledger) {
    this.ambient = ambient;
    this.ledger = ledger;
  }

  static Payer key(Budget... budgets) {
    return new Payer(Payer.Kind.KEY, "a", List.of(budgets));
  }

  static Payer account(Budget... budgets) {
    return Payer.account(List.of(budgets));
  }

  static Budget lifetime(long limit) {
    return new Budget(Period.LIFETIME, new Usd(limit), false);
  }

  static Budget budget(Period period, long limit) {
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

  Outcome hold(Charge maxCharge, Payer... payers) {
    List<Payer> samePayers = callers.computeIfAbsent(List.of(payers), first -> first);
    return ledger.hold(new Claim(samePayers, maxCharge, ambient.now(), FAR_DEADLINE));
  }

  Outcome hold(long maxCharge, Payer... payers) {
    return hold(nanos(maxCharge), payers);
  }

  Reservation granted(long maxCharge, Payer... payers) {
    return granted(hold(maxCharge, payers));
  }

  static Reservation granted(Outcome outcome) {
    if (outcome instanceof Outcome.Granted granted) {
      return granted.reservation();
    }
    throw new AssertionError("expected a grant, got " + outcome);
  }

  /** Returns the budget of a new request of a caller with one payer. */
  RequestBudget requestBudget(Payer payer) {
    var caller = new Caller(new KeyId(1, 2, 3, 4), "a", false, List.of(payer));
    return RequestBudget.open(ledger, caller, ambient.now(), FAR_DEADLINE, null);
  }

  void settle(Reservation held, long credits) {
    held.settle(List.of(line(nanos(credits))));
  }

  /** Returns a line with the next number. */
  LedgerEntry line(Charge charge) {
    return new LedgerEntry(
        "gen-1",
        nextEntry.getAndIncrement(),
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

  /** Returns the settled, held and overrun amounts of the lifetime period, in this order. */
  List<Long> lifetimeAmounts(Payer payer) {
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
