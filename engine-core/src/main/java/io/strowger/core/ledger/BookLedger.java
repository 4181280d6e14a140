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
 * The ledger: books in memory over any store. While this node has a slice of each budget, a hold
 * and its settlement touch only memory and {@link LedgerStore#append}; otherwise the store is asked
 * for a slice first, outside all locks.
 *
 * <p>A maintenance thread returns unused slices, ends abandoned holds and retries lines that could
 * not be written before; {@link #close} ends the thread.
 */
public final class BookLedger implements Ledger, AutoCloseable {
  /** How long an answer of the store about the spending of other nodes stays valid. */
  private static final long FRESH = Duration.ofMillis(250).toNanos();

  /** The longest that a hold waits, however many slices it has to ask for. */
  private static final Duration PATIENCE = Duration.ofMillis(1950);

  private final LedgerStore store;
  private final Ambient ambient;
  private final Stripes stripes;
  private final Books books;
  private final Leases leases;
  private final LedgerLineWriter journal;
  private final LedgerMaintenance ledgerMaintenance;
  private final long patience;
  private volatile Day latest = Day.of(Instant.EPOCH);

  public BookLedger(LedgerStore store, Ambient ambient) {
    this(store, ambient, new Stripes(Runtime.getRuntime().availableProcessors()));
  }

  BookLedger(LedgerStore store, Ambient ambient, Stripes stripes) {
    this(store, ambient, stripes, PATIENCE);
  }

  /**
   * @param patience how long a hold waits at most
   */
  BookLedger(LedgerStore store, Ambient ambient, Stripes stripes, Duration patience) {
    this.store = store;
    this.ambient = ambient;
    this.stripes = stripes;
    this.books = new Books(stripes);
    this.leases = new Leases(store, ambient);
    this.journal = new LedgerLineWriter(store, ambient);
    this.ledgerMaintenance = new LedgerMaintenance(stripes, books, leases, journal, ambient);
    this.patience = patience.toNanos();
  }

  @Override
  public Outcome hold(Claim claim) {
    String unwritten = journal.failure();
    if (unwritten != null) {
      return new Outcome.Unavailable(unwritten);
    }
    PayerGroup party = books.party(claim.payers());
    Day day = day(claim.at());
    ActiveHold activeHold = holdDealt(party, day, claim);
    if (activeHold == null) {
      activeHold = tryHold(party, day, claim);
    }
    return activeHold != null
        ? new Outcome.Granted(activeHold)
        : holdAfterAsking(party, day, claim);
  }

  /** Takes a hold from the share of one stripe; null when that is not enough. */
  private @Nullable ActiveHold holdDealt(PayerGroup party, Day day, Claim claim) {
    DayAccounts sheet = party.latest();
    if (sheet == null) {
      return null;
    }
    long due = ledgerMaintenance.second(claim.deadline());
    Stripe stripe = stripes.lockOne();
    try {
      var activeHold =
          new ActiveHold(journal, stripe, sheet, claim.atMost(), due); // first: it may fail
      if (!sheet.holdFromShare(stripe.number(), day, claim.atMost())) {
        return null;
      }
      stripe.link(activeHold);
      return activeHold;
    } finally {
      stripe.unlock();
    }
  }

  private Day day(Instant at) {
    Day known = latest;
    if (known.number() != Day.number(at)) {
      known = Day.of(at);
      latest = known;
    }
    return known;
  }

  /** Takes a hold from all local slices and deals the rest anew; null when they are too small. */
  private @Nullable ActiveHold tryHold(PayerGroup party, Day day, Claim claim) {
    SliceShortfall low = null;
    PendingLeaseRequest begun = null;
    ActiveHold activeHold = null;
    party.lock();
    try {
      DayAccounts sheet = party.accountsOf(day);
      party.revokeShares(); // first, so that no share is spent concurrently, even if this fails
      if (party.covers(sheet, claim.atMost()) && sheet.canHold(claim.atMost())) {
        Stripe stripe = stripes.stripeOfThread();
        activeHold =
            new ActiveHold(
                journal, stripe, sheet, claim.atMost(), ledgerMaintenance.second(claim.deadline()));
        sheet.hold(claim.atMost());
        stripe.link(activeHold);
        low = party.sliceToRefill(sheet);
        begun = low == null ? null : low.slice().ask();
      }
      party.distribute(sheet);
    } finally {
      party.unlock();
    }
    if (low != null && begun != null) {
      leases.refill(low, begun);
    }
    return activeHold;
  }

  private Outcome holdAfterAsking(PayerGroup party, Day day, Claim claim) {
    long began = ambient.nanoTime();
    ledgerMaintenance.expireAtOnce();
    while (true) {
      ActiveHold activeHold = tryHold(party, day, claim);
      if (activeHold != null) {
        return new Outcome.Granted(activeHold);
      }
      switch (shortage(party, day, claim)) {
        case Shortage.No no -> {
          // other holds have freed enough meanwhile: try again
        }
        case Shortage.Final(Outcome refusal) -> {
          return refusal;
        }
        case Shortage.Askable(List<SliceShortfall> lacks) -> {
          String failure = leases.obtain(lacks, patience - (ambient.nanoTime() - began));
          if (failure != null) {
            return new Outcome.Unavailable(failure);
          }
        }
      }
      if (ambient.nanoTime() - began > patience) {
        return new Outcome.Unavailable("no slice that is enough could be had in time");
      }
    }
  }

  /** The reason why a hold cannot be taken. */
  private sealed interface Shortage {
    /** There is no shortage any more: enough was freed meanwhile. */
    record No() implements Shortage {}

    record Final(Outcome refusal) implements Shortage {}

    /** The slices are too small, but the store may grant more. */
    record Askable(List<SliceShortfall> lacks) implements Shortage {}
  }

  private Shortage shortage(PayerGroup party, Day day, Claim claim) {
    party.lock();
    try {
      DayAccounts sheet = party.accountsOf(day);
      if (!sheet.canHold(claim.atMost())) {
        return new Shortage.Final(
            new Outcome.Unavailable("more money is held than can be counted"));
      }
      Outcome.Refused refused = party.refused(sheet, claim.atMost(), ambient.nanoTime() - FRESH);
      if (refused != null) {
        return new Shortage.Final(refused);
      }
      List<SliceShortfall> lacks = party.shortfalls(sheet, claim.atMost());
      return lacks.isEmpty() ? new Shortage.No() : new Shortage.Askable(lacks);
    } finally {
      party.unlock();
    }
  }

  @Override
  public Room room(List<Payer> payers, Instant at) {
    Day day = day(at);
    long fresh = ambient.nanoTime() - FRESH;
    stripes.lockAll();
    try {
      return room(payers, day, fresh);
    } finally {
      stripes.unlockAll();
    }
  }

  @Override
  public Usd held(Payer payer, Budget budget, Instant at) {
    Book book = books.known(payer);
    if (book == null) {
      return Usd.ZERO;
    }
    Day day = day(at);
    book.lock();
    try {
      return new Usd(book.pages(day).window(budget.period()).held(budget.withByok()));
    } finally {
      book.unlock();
    }
  }

  @Override
  public OpenHolds openHolds() {
    return stripes.openHolds();
  }

  private Room room(List<Payer> payers, Day day, long fresh) {
    Least credits = null;
    Least withByok = null;
    for (Payer payer : payers) {
      for (Budget budget : payer.budgets()) {
        var least = new Least(new Usd(left(payer, budget, day, fresh)), payer, budget);
        if (budget.withByok()) {
          withByok = tighter(withByok, least);
        } else {
          credits = tighter(credits, least);
        }
      }
    }
    return credits == null && withByok == null ? Room.UNLIMITED : new Room(credits, withByok);
  }

  /**
   * Returns the tighter of two budgets; of two exhausted ones of a payer, the one with the longer
   * period.
   */
  private static Least tighter(@Nullable Least known, Least other) {
    if (known == null) {
      return other;
    }
    Least least = known.left().compareTo(other.left()) <= 0 ? known : other;
    boolean both = !known.left().isMoreThan(Usd.ZERO) && !other.left().isMoreThan(Usd.ZERO);
    boolean broader = PayerGroup.periodRank(other.budget()) > PayerGroup.periodRank(known.budget());
    return both && known.payer() == other.payer()
        ? new Least(least.left(), least.payer(), (broader ? other : known).budget())
        : least;
  }

  private long left(Payer payer, Budget budget, Day day, long fresh) {
    Book book = books.known(payer);
    if (book == null) {
      return budget.limit().nanos();
    }
    book.fold();
    return book.pages(day).window(budget.period()).room(budget, fresh);
  }

  @Override
  public List<Balance> balances(List<Spender> spenders, Instant at) {
    if (spenders.isEmpty()) {
      return List.of();
    }
    List<Posting.Account> accounts =
        spenders.stream()
            .map(of -> new Posting.Account(of.payer().toString(), of.period().window(at)))
            .toList();
    Map<Posting.Account, LedgerStore.OtherSpending> elsewhere = store.otherNodesSpending(accounts);
    List<Balance> balances = new ArrayList<>(accounts.size());
    for (int i = 0; i < accounts.size(); i++) {
      Posting.Account account = accounts.get(i);
      LedgerStore.OtherSpending there =
          elsewhere.getOrDefault(account, LedgerStore.OtherSpending.NOTHING);
      balances.add(balance(spenders.get(i), account, there));
    }
    return balances;
  }

  private Balance balance(
      Spender spender, Posting.Account account, LedgerStore.OtherSpending elsewhere) {
    Book book = books.known(spender.payer());
    if (book == null) {
      return new Balance(elsewhere.charge(), Charge.ZERO, Usd.ZERO, elsewhere.last());
    }
    book.lock();
    try {
      Window window = book.find(spender.period(), account);
      return (window == null ? new Window(account) : window).balance(elsewhere);
    } finally {
      book.unlock();
    }
  }

  /** Returns whether every line so far is written; while one is not, no money is granted. */
  public boolean isWritable() {
    return journal.isWorking();
  }

  /** Ends abandoned holds now, rather than within a second. */
  void expire() {
    ledgerMaintenance.expireAtOnce();
  }

  /** Retries unwritten lines now, rather than within a second. */
  void retry() {
    journal.retry();
  }

  /** Ends the maintenance thread, and returns unspent slices if the store can be reached. */
  @Override
  public void close() {
    ledgerMaintenance.close();
  }
}
