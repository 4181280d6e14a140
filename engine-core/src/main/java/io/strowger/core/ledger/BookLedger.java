package io.strowger.core.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ledger: books in memory over any store. A hold is tried in three ways, each slower than the
 * one before. First it is taken from the share of one stripe, under the lock of that stripe. If
 * that is too small, it is taken from the slices of all its payers, under the locks of all stripes.
 * If a slice is too small, the store is asked for a larger one, under no lock, and the slices are
 * tried again. The first two ways do not wait for the store; like a settlement, they touch only
 * memory and {@link LedgerStore#append}.
 *
 * <p>A maintenance thread returns unused slices, ends abandoned holds and retries ledger lines that
 * could not be written before; {@link #close} ends the thread.
 */
public final class BookLedger implements Ledger, AutoCloseable {
  /** How long an answer of the store about the spending of other nodes stays valid. */
  private static final long FRESHNESS_NANOS = Duration.ofMillis(250).toNanos();

  /** The longest that a hold waits, however many slices it has to ask for. */
  private static final Duration MAX_WAIT = Duration.ofMillis(1950);

  private final LedgerStore store;
  private final Ambient ambient;
  private final Stripes stripes;
  private final Books books;
  private final Leases leases;
  private final LedgerLineWriter lineWriter;
  private final LedgerMaintenance ledgerMaintenance;
  private final long maxWaitNanos;
  private volatile Day latestDay = Day.of(Instant.EPOCH);

  public BookLedger(LedgerStore store, Ambient ambient) {
    this(store, ambient, new Stripes(Runtime.getRuntime().availableProcessors()));
  }

  BookLedger(LedgerStore store, Ambient ambient, Stripes stripes) {
    this(store, ambient, stripes, MAX_WAIT);
  }

  /**
   * @param maxWait how long a hold waits at most
   */
  BookLedger(LedgerStore store, Ambient ambient, Stripes stripes, Duration maxWait) {
    this.store = store;
    this.ambient = ambient;
    this.stripes = stripes;
    this.books = new Books(stripes);
    this.leases = new Leases(store, ambient);
    this.lineWriter = new LedgerLineWriter(store, ambient);
    this.ledgerMaintenance = new LedgerMaintenance(stripes, books, leases, lineWriter, ambient);
    this.maxWaitNanos = maxWait.toNanos();
  }

  @Override
  public Outcome hold(Claim claim) {
    String failure = lineWriter.failure();
    if (failure != null) {
      return new Outcome.Unavailable(failure);
    }
    PayerGroup payerGroup = books.payerGroup(claim.payers());
    Day day = day(claim.at());
    ActiveHold activeHold = holdFromShare(payerGroup, day, claim);
    if (activeHold == null) {
      activeHold = holdFromSlices(payerGroup, day, claim);
    }
    return activeHold != null
        ? new Outcome.Granted(activeHold)
        : holdAfterLease(payerGroup, day, claim);
  }

  /** Takes a hold from the share of one stripe, under its lock; null when that is not enough. */
  private @Nullable ActiveHold holdFromShare(PayerGroup payerGroup, Day day, Claim claim) {
    DayAccounts dayAccounts = payerGroup.latest();
    if (dayAccounts == null) {
      return null;
    }
    long dueSecond = ledgerMaintenance.second(claim.deadline());
    Stripe stripe = stripes.lockOne();
    try {
      // created before anything is counted, since this may fail
      var activeHold =
          new ActiveHold(lineWriter, stripe, dayAccounts, claim.maxCharge(), dueSecond);
      if (!dayAccounts.holdFromShare(stripe.number(), day, claim.maxCharge())) {
        return null;
      }
      stripe.link(activeHold);
      return activeHold;
    } finally {
      stripe.unlock();
    }
  }

  private Day day(Instant at) {
    Day result = latestDay;
    if (result.number() != Day.number(at)) {
      result = Day.of(at);
      latestDay = result;
    }
    return result;
  }

  /**
   * Takes a hold from all local slices, under the locks of all stripes, and deals the rest to the
   * stripes; null when a slice is too small.
   */
  private @Nullable ActiveHold holdFromSlices(PayerGroup payerGroup, Day day, Claim claim) {
    SliceShortfall shortfall = null;
    PendingLeaseRequest leaseRequest = null;
    ActiveHold activeHold = null;
    payerGroup.lock();
    try {
      DayAccounts dayAccounts = payerGroup.accountsOf(day);
      payerGroup.revokeShares(); // no share is spent from here on, even if what follows fails
      if (payerGroup.covers(dayAccounts, claim.maxCharge())
          && dayAccounts.canHold(claim.maxCharge())) {
        Stripe stripe = stripes.stripeOfThread();
        activeHold =
            new ActiveHold(
                lineWriter,
                stripe,
                dayAccounts,
                claim.maxCharge(),
                ledgerMaintenance.second(claim.deadline()));
        dayAccounts.hold(claim.maxCharge());
        stripe.link(activeHold);
        shortfall = payerGroup.sliceToRefill(dayAccounts);
        leaseRequest = shortfall == null ? null : shortfall.slice().registerRequest();
      }
      payerGroup.distribute(dayAccounts);
    } finally {
      payerGroup.unlock();
    }
    if (shortfall != null && leaseRequest != null) {
      leases.refill(shortfall, leaseRequest);
    }
    return activeHold;
  }

  /** Takes a hold after the store has granted larger slices, or refuses it. Waits for the store. */
  private Outcome holdAfterLease(PayerGroup payerGroup, Day day, Claim claim) {
    long startNanos = ambient.nanoTime();
    ledgerMaintenance.expireNow();
    while (true) {
      ActiveHold activeHold = holdFromSlices(payerGroup, day, claim);
      if (activeHold != null) {
        return new Outcome.Granted(activeHold);
      }
      switch (shortage(payerGroup, day, claim)) {
        case Shortage.None none -> {
          // other holds have freed enough meanwhile: try again
        }
        case Shortage.Final(Outcome refusal) -> {
          return refusal;
        }
        case Shortage.NeedsLease(List<SliceShortfall> shortfalls) -> {
          String failure =
              leases.obtain(shortfalls, maxWaitNanos - (ambient.nanoTime() - startNanos));
          if (failure != null) {
            return new Outcome.Unavailable(failure);
          }
        }
      }
      if (ambient.nanoTime() - startNanos > maxWaitNanos) {
        return new Outcome.Unavailable(
            "the ledger store did not grant a large enough budget slice in time");
      }
    }
  }

  /** The reason why a hold cannot be taken. */
  private sealed interface Shortage {
    /** There is no shortage any more: enough was freed meanwhile. */
    record None() implements Shortage {}

    /** The hold is refused: waiting does not help. */
    record Final(Outcome refusal) implements Shortage {}

    /** The slices are too small, but the store may grant more. */
    record NeedsLease(List<SliceShortfall> shortfalls) implements Shortage {}
  }

  /** Determines, under the locks of all stripes, why a hold cannot be taken. */
  private Shortage shortage(PayerGroup payerGroup, Day day, Claim claim) {
    payerGroup.lock();
    try {
      DayAccounts dayAccounts = payerGroup.accountsOf(day);
      if (!dayAccounts.canHold(claim.maxCharge())) {
        return new Shortage.Final(
            new Outcome.Unavailable("more money is held than can be counted"));
      }
      Outcome.Refused refusal =
          payerGroup.refusal(dayAccounts, claim.maxCharge(), ambient.nanoTime() - FRESHNESS_NANOS);
      if (refusal != null) {
        return new Shortage.Final(refusal);
      }
      List<SliceShortfall> shortfalls = payerGroup.shortfalls(dayAccounts, claim.maxCharge());
      return shortfalls.isEmpty() ? new Shortage.None() : new Shortage.NeedsLease(shortfalls);
    } finally {
      payerGroup.unlock();
    }
  }

  @Override
  public AvailableAmounts available(List<Payer> payers, Instant at) {
    Day day = day(at);
    long freshSince = ambient.nanoTime() - FRESHNESS_NANOS;
    stripes.lockAll();
    try {
      return available(payers, day, freshSince);
    } finally {
      stripes.unlockAll();
    }
  }

  @Override
  public Usd held(Payer payer, Budget budget, Instant at) {
    Book book = books.find(payer);
    if (book == null) {
      return Usd.ZERO;
    }
    Day day = day(at);
    book.lock();
    try {
      return new Usd(book.windowsFor(day).window(budget.period()).held(budget.withByok()));
    } finally {
      book.unlock();
    }
  }

  @Override
  public OpenHolds openHolds() {
    return stripes.openHolds();
  }

  /** Returns what the tightest budgets leave. Called under the locks of all stripes. */
  private AvailableAmounts available(List<Payer> payers, Day day, long freshSince) {
    TightestBudget credits = null;
    TightestBudget withByok = null;
    for (Payer payer : payers) {
      for (Budget budget : payer.budgets()) {
        var candidate =
            new TightestBudget(new Usd(remaining(payer, budget, day, freshSince)), payer, budget);
        if (budget.withByok()) {
          withByok = tighter(withByok, candidate);
        } else {
          credits = tighter(credits, candidate);
        }
      }
    }
    return credits == null && withByok == null
        ? AvailableAmounts.UNLIMITED
        : new AvailableAmounts(credits, withByok);
  }

  /**
   * Returns the tighter of two budgets; of two exhausted budgets of a payer, the budget with the
   * longer period.
   */
  private static TightestBudget tighter(
      @Nullable TightestBudget current, TightestBudget candidate) {
    if (current == null) {
      return candidate;
    }
    TightestBudget smaller =
        current.remaining().compareTo(candidate.remaining()) <= 0 ? current : candidate;
    boolean bothExhausted =
        !current.remaining().isMoreThan(Usd.ZERO) && !candidate.remaining().isMoreThan(Usd.ZERO);
    boolean isPeriodLonger =
        PayerGroup.periodRank(candidate.budget()) > PayerGroup.periodRank(current.budget());
    return bothExhausted && current.payer() == candidate.payer()
        ? new TightestBudget(
            smaller.remaining(), smaller.payer(), (isPeriodLonger ? candidate : current).budget())
        : smaller;
  }

  /** Returns what one budget leaves, in nanodollars. Called under the locks of all stripes. */
  private long remaining(Payer payer, Budget budget, Day day, long freshSince) {
    Book book = books.find(payer);
    if (book == null) {
      return budget.limit().nanos();
    }
    book.fold();
    return book.windowsFor(day).window(budget.period()).availableAmount(budget, freshSince);
  }

  @Override
  public List<Balance> balances(List<Spender> spenders, Instant at) {
    if (spenders.isEmpty()) {
      return List.of();
    }
    List<Posting.Account> accounts =
        spenders.stream()
            .map(
                spender ->
                    new Posting.Account(spender.payer().toString(), spender.period().window(at)))
            .toList();
    Map<Posting.Account, LedgerStore.SpendingElsewhere> spendings =
        store.spendingElsewhere(accounts);
    List<Balance> balances = new ArrayList<>(accounts.size());
    for (int i = 0; i < accounts.size(); i++) {
      Posting.Account account = accounts.get(i);
      LedgerStore.SpendingElsewhere otherSpending =
          spendings.getOrDefault(account, LedgerStore.SpendingElsewhere.NOTHING);
      balances.add(balance(spenders.get(i), account, otherSpending));
    }
    return balances;
  }

  private Balance balance(
      Spender spender, Posting.Account account, LedgerStore.SpendingElsewhere otherSpending) {
    Book book = books.find(spender.payer());
    if (book == null) {
      return new Balance(
          otherSpending.charge(), Charge.ZERO, Usd.ZERO, otherSpending.lastSpentAt());
    }
    book.lock();
    try {
      Window window = book.find(spender.period(), account);
      return (window == null ? new Window(account) : window).balance(otherSpending);
    } finally {
      book.unlock();
    }
  }

  /**
   * Returns whether every line so far is written; while a line is not written, no money is granted.
   */
  public boolean isWritable() {
    return lineWriter.isWorking();
  }

  /** Ends abandoned holds now, rather than within a second. */
  void expire() {
    ledgerMaintenance.expireNow();
  }

  /** Retries unwritten lines now, rather than within a second. */
  void retry() {
    lineWriter.retry();
  }

  /** Ends the maintenance thread, and returns unspent slices if the store can be reached. */
  @Override
  public void close() {
    ledgerMaintenance.close();
  }
}
