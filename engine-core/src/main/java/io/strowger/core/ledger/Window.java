package io.strowger.core.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One payer's spending on this node in one period. Guarded by all stripes: who has them all, and
 * {@linkplain DayWindows#fold folded} the book, sees it up to date. All amounts are nanodollars.
 */
final class Window {
  private final Posting.Account account;
  private long credits; // settled
  private long ownKeys;
  private long heldCredits;
  private long heldOwnKeys;
  private long overrun;
  private long holds;
  private @Nullable Instant last;
  private @Nullable LocalSlice plain;
  private @Nullable LocalSlice withOwnKeys;

  Window(Posting.Account account) {
    this.account = account;
  }

  Posting.Account account() {
    return account;
  }

  /** Settled and held, by what counts. */
  long spent(boolean countOwnKeys) {
    long spent = SaturatingMath.plus(credits, heldCredits);
    return countOwnKeys
        ? SaturatingMath.plus(spent, SaturatingMath.plus(ownKeys, heldOwnKeys))
        : spent;
  }

  /** Held, by what counts. */
  long held(boolean countOwnKeys) {
    long held = countOwnKeys ? SaturatingMath.plus(heldCredits, heldOwnKeys) : heldCredits;
    return Math.max(0, held);
  }

  LocalSlice slice(boolean countOwnKeys) {
    LocalSlice known = countOwnKeys ? withOwnKeys : plain;
    if (known != null) {
      return known;
    }
    var begun = new LocalSlice(countOwnKeys);
    if (countOwnKeys) {
      withOwnKeys = begun;
    } else {
      plain = begun;
    }
    return begun;
  }

  /** Those there are. */
  List<LocalSlice> slices() {
    var all = new ArrayList<LocalSlice>(2);
    if (plain != null) {
      all.add(plain);
    }
    if (withOwnKeys != null) {
      all.add(withOwnKeys);
    }
    return all;
  }

  /** What a budget leaves, as far as it is known. */
  long room(Budget budget, long fresh) {
    long spent = spent(budget.withOwnKeys());
    return slice(budget.withOwnKeys()).availableAmount(spent, budget.limit().nanos(), fresh);
  }

  /** Whether what is held would still be a number. */
  boolean canHold(Charge more) {
    return SaturatingMath.plus(heldCredits, more.credits().nanos()) < Long.MAX_VALUE
        && SaturatingMath.plus(heldOwnKeys, more.ownKeys().nanos()) < Long.MAX_VALUE;
  }

  /** What can be held beside what is, at most, and still be a number. */
  long headroom() {
    return Long.MAX_VALUE - 1 - Math.max(0, Math.max(heldCredits, heldOwnKeys));
  }

  /** What was counted under a stripe. */
  void add(StripeTally counted) {
    credits = SaturatingMath.plus(credits, counted.credits);
    ownKeys = SaturatingMath.plus(ownKeys, counted.ownKeys);
    heldCredits += counted.heldCredits;
    heldOwnKeys += counted.heldOwnKeys;
    holds += counted.holds;
    later(counted.last());
    if (counted.begun > 0) {
      slices().forEach(LocalSlice::use);
    }
  }

  void hold(Charge more) {
    heldCredits += more.credits().nanos();
    heldOwnKeys += more.ownKeys().nanos();
    holds++;
  }

  void free(Charge held) {
    heldCredits -= held.credits().nanos();
    heldOwnKeys -= held.ownKeys().nanos();
    holds--;
  }

  /**
   * Books what was done.
   *
   * @param beyond of the charge was not held
   */
  void settle(Charge charge, long beyond, LedgerEntry lastLine) {
    credits = SaturatingMath.plus(credits, charge.credits().nanos());
    ownKeys = SaturatingMath.plus(ownKeys, charge.ownKeys().nanos());
    overrun = SaturatingMath.plus(overrun, beyond);
    later(lastLine.at());
  }

  private void later(@Nullable Instant at) {
    Instant before = last;
    last = before == null || at != null && at.isAfter(before) ? at : before;
  }

  /** Nothing is under way in it. */
  boolean isQuiet() {
    return holds == 0 && !asks(plain) && !asks(withOwnKeys);
  }

  private static boolean asks(@Nullable LocalSlice slice) {
    return slice != null && slice.pendingRequest() != null;
  }

  /** With what others spent. */
  Ledger.Balance balance(LedgerStore.OtherSpending elsewhere) {
    Instant here = last;
    Instant there = elsewhere.last();
    return new Ledger.Balance(
        new Charge(new Usd(credits), new Usd(ownKeys)).plus(elsewhere.charge()),
        new Charge(new Usd(heldCredits), new Usd(heldOwnKeys)),
        new Usd(overrun),
        here == null || there != null && there.isAfter(here) ? there : here);
  }
}
