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
 * One payer's spending on this node in one period. Guarded by all stripes: up to date for a holder
 * of all that has {@linkplain DayWindows#fold folded} the book. All amounts are nanodollars.
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
  private @Nullable LocalSlice plain;
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
    LocalSlice known = countByok ? withByok : plain;
    if (known != null) {
      return known;
    }
    var begun = new LocalSlice(countByok);
    if (countByok) {
      withByok = begun;
    } else {
      plain = begun;
    }
    return begun;
  }

  /** Returns the slices that exist. */
  List<LocalSlice> slices() {
    var all = new ArrayList<LocalSlice>(2);
    if (plain != null) {
      all.add(plain);
    }
    if (withByok != null) {
      all.add(withByok);
    }
    return all;
  }

  /** Returns the amount that a budget leaves, as far as known. */
  long room(Budget budget, long fresh) {
    long spent = spent(budget.withByok());
    return slice(budget.withByok()).availableAmount(spent, budget.limit().nanos(), fresh);
  }

  /** Returns whether the held totals would still fit in a long. */
  boolean canHold(Charge more) {
    return SaturatingMath.plus(heldCredits, more.credits().nanos()) < Long.MAX_VALUE
        && SaturatingMath.plus(heldByok, more.byokCost().nanos()) < Long.MAX_VALUE;
  }

  /** Returns the most that can be held in addition without overflowing a long. */
  long headroom() {
    return Long.MAX_VALUE - 1 - Math.max(0, Math.max(heldCredits, heldByok));
  }

  /** Adds the changes counted under a stripe. */
  void add(StripeTally counted) {
    credits = SaturatingMath.plus(credits, counted.credits);
    byok = SaturatingMath.plus(byok, counted.byok);
    heldCredits += counted.heldCredits;
    heldByok += counted.heldByok;
    holds += counted.holds;
    later(counted.last());
    if (counted.begun > 0) {
      slices().forEach(LocalSlice::use);
    }
  }

  void hold(Charge more) {
    heldCredits += more.credits().nanos();
    heldByok += more.byokCost().nanos();
    holds++;
  }

  void free(Charge held) {
    heldCredits -= held.credits().nanos();
    heldByok -= held.byokCost().nanos();
    holds--;
  }

  /**
   * Books a charge.
   *
   * @param beyond the part of the charge above its hold, counted as overrun
   */
  void settle(Charge charge, long beyond, LedgerEntry lastLine) {
    credits = SaturatingMath.plus(credits, charge.credits().nanos());
    byok = SaturatingMath.plus(byok, charge.byokCost().nanos());
    overrun = SaturatingMath.plus(overrun, beyond);
    later(lastLine.at());
  }

  private void later(@Nullable Instant at) {
    Instant before = last;
    last = before == null || at != null && at.isAfter(before) ? at : before;
  }

  /** Returns whether the window has no hold and no pending request. */
  boolean isQuiet() {
    return holds == 0 && !asks(plain) && !asks(withByok);
  }

  private static boolean asks(@Nullable LocalSlice slice) {
    return slice != null && slice.pendingRequest() != null;
  }

  /** Returns the balance, including what other nodes spent. */
  Ledger.Balance balance(LedgerStore.OtherSpending elsewhere) {
    Instant here = last;
    Instant there = elsewhere.last();
    return new Ledger.Balance(
        new Charge(new Usd(credits), new Usd(byok)).plus(elsewhere.charge()),
        new Charge(new Usd(heldCredits), new Usd(heldByok)),
        new Usd(overrun),
        here == null || there != null && there.isAfter(here) ? there : here);
  }
}
