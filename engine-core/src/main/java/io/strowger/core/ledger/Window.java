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
 * One payer's spending on this node in one period. Guarded by all stripes together. Up to date once
 * the holder of all stripes has {@linkplain DayWindows#fold folded} the tallies. All amounts are
 * nanodollars.
 */
final class Window {
  private final Posting.Account account;
  private long credits; // settled
  private long byok;
  private long heldCredits;
  private long heldByok;
  private long overrun;
  private long holds;
  private @Nullable Instant last;
  private @Nullable LocalSlice creditsOnly;
  private @Nullable LocalSlice withByok;

  Window(Posting.Account account) {
    this.account = account;
  }

  Posting.Account account() {
    return account;
  }

  /** Returns the sum of settled and held amounts, with or without BYOK cost. */
  long spent(boolean countByok) {
    long spent = SaturatingMath.plus(credits, heldCredits);
    return countByok ? SaturatingMath.plus(spent, SaturatingMath.plus(byok, heldByok)) : spent;
  }

  /** Returns the held amount, with or without BYOK cost; at least 0. */
  long held(boolean countByok) {
    long held = countByok ? SaturatingMath.plus(heldCredits, heldByok) : heldCredits;
    return Math.max(0, held);
  }

  LocalSlice slice(boolean countByok) {
    LocalSlice slice = countByok ? withByok : creditsOnly;
    if (slice != null) {
      return slice;
    }
    var newSlice = new LocalSlice(countByok);
    if (countByok) {
      withByok = newSlice;
    } else {
      creditsOnly = newSlice;
    }
    return newSlice;
  }

  /** Returns the slices that exist. */
  List<LocalSlice> slices() {
    var result = new ArrayList<LocalSlice>(2);
    if (creditsOnly != null) {
      result.add(creditsOnly);
    }
    if (withByok != null) {
      result.add(withByok);
    }
    return result;
  }

  /** Returns the amount that a budget leaves, as far as known. */
  long availableAmount(Budget budget, long freshSince) {
    long spent = spent(budget.withByok());
    return slice(budget.withByok()).availableAmount(spent, budget.limit().nanos(), freshSince);
  }

  /** Returns whether the held totals would still fit in a long. */
  boolean canHold(Charge charge) {
    return SaturatingMath.plus(heldCredits, charge.credits().nanos()) < Long.MAX_VALUE
        && SaturatingMath.plus(heldByok, charge.byokCost().nanos()) < Long.MAX_VALUE;
  }

  /** Returns the most that can be held in addition without overflowing a long. */
  long headroom() {
    return Long.MAX_VALUE - 1 - Math.max(0, Math.max(heldCredits, heldByok));
  }

  /** Adds the changes counted under a stripe. */
  void add(StripeTally tally) {
    credits = SaturatingMath.plus(credits, tally.credits);
    byok = SaturatingMath.plus(byok, tally.byok);
    heldCredits += tally.heldCredits;
    heldByok += tally.heldByok;
    holds += tally.holds;
    updateLast(tally.last());
    if (tally.holdsStarted > 0) {
      slices().forEach(LocalSlice::use);
    }
  }

  void hold(Charge charge) {
    heldCredits += charge.credits().nanos();
    heldByok += charge.byokCost().nanos();
    holds++;
  }

  void free(Charge hold) {
    heldCredits -= hold.credits().nanos();
    heldByok -= hold.byokCost().nanos();
    holds--;
  }

  /**
   * Books a charge.
   *
   * @param excess the part of the charge above its hold, counted as overrun
   */
  void settle(Charge charge, long excess, LedgerEntry lastLine) {
    credits = SaturatingMath.plus(credits, charge.credits().nanos());
    byok = SaturatingMath.plus(byok, charge.byokCost().nanos());
    overrun = SaturatingMath.plus(overrun, excess);
    updateLast(lastLine.at());
  }

  private void updateLast(@Nullable Instant at) {
    Instant previous = last;
    last = previous == null || at != null && at.isAfter(previous) ? at : previous;
  }

  /** Returns whether the window has no hold and no pending request. */
  boolean isQuiet() {
    return holds == 0 && !hasPendingRequest(creditsOnly) && !hasPendingRequest(withByok);
  }

  private static boolean hasPendingRequest(@Nullable LocalSlice slice) {
    return slice != null && slice.pendingRequest() != null;
  }

  /** Returns the balance, including what other nodes spent. */
  Ledger.Balance balance(LedgerStore.SpendingElsewhere otherSpending) {
    Instant ownLast = last;
    Instant otherLast = otherSpending.lastSpentAt();
    return new Ledger.Balance(
        new Charge(new Usd(credits), new Usd(byok)).plus(otherSpending.charge()),
        new Charge(new Usd(heldCredits), new Usd(heldByok)),
        new Usd(overrun),
        ownLast == null || otherLast != null && otherLast.isAfter(ownLast) ? otherLast : ownLast);
  }
}
