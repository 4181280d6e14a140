package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where all payers of a request count on one day: under one stripe in the tallies there, with all
 * of them in the windows.
 */
final class DayAccounts {
  private final PayerGroup party;
  private final Day day;
  private final DayWindows[] pages;
  private final Payer[] payers; // under whose budgets they are dealt; guarded as the pages are
  private final List<Posting.Account> accounts;

  /**
   * @param pages in the order of the payer group's books
   */
  DayAccounts(PayerGroup party, Day day, DayWindows[] pages) {
    this.party = party;
    this.day = day;
    this.pages = pages;
    this.payers = party.payers().clone();
    var all = new ArrayList<Posting.Account>();
    for (DayWindows of : pages) {
      of.addAccounts(all);
    }
    this.accounts = List.copyOf(all);
  }

  PayerGroup party() {
    return party;
  }

  DayWindows of(int book) {
    return pages[book];
  }

  /** Where lines count; asked for without a lock. */
  List<Posting.Account> accounts() {
    return accounts;
  }

  /** Holds what a stripe was dealt by every payer; false: one has dealt less, and nothing is. */
  boolean holdFromShare(int stripe, Day on, Charge more) {
    if (on.number() != day.number()) {
      return false;
    }
    long amount = SaturatingMath.plus(more.credits().nanos(), more.byokCost().nanos());
    for (int i = 0; i < pages.length; i++) {
      if (!pages[i].covers(stripe, payers[i], amount)) {
        return false;
      }
    }
    for (DayWindows of : pages) {
      of.hold(stripe, more, amount);
    }
    return true;
  }

  /** Whether a stripe is enough to count here. */
  boolean isOpen() {
    for (DayWindows of : pages) {
      if (!of.areOpen()) {
        return false;
      }
    }
    return true;
  }

  /** Under one stripe, where {@link #isOpen}; as {@link StripeTally#settle}. */
  void settle(int stripe, Charge held, Charge charge, @Nullable LedgerEntry lastLine) {
    for (DayWindows of : pages) {
      of.settle(stripe, held, charge, lastLine);
    }
  }

  /** Brings the windows up to date. */
  void fold() {
    for (DayWindows of : pages) {
      of.fold();
    }
  }

  /**
   * Deals to the stripes; what they had is void.
   *
   * @param left what the payer's budgets leave; {@link Long#MAX_VALUE} when there are none
   */
  void deal(int book, Payer payer, long left) {
    long headroom = pages[book].window(Period.LIFETIME).headroom(); // most is held of all time
    payers[book] = pages[book].deal(payer, Math.min(left, headroom));
  }

  /** Whether what is held would still be a number. */
  boolean canHold(Charge more) {
    for (DayWindows of : pages) {
      if (!of.window(Period.LIFETIME).canHold(more)) {
        return false;
      }
    }
    return true;
  }

  void hold(Charge more) {
    for (DayWindows of : pages) {
      for (Window window : of.windows()) {
        window.hold(more);
      }
    }
  }

  void free(Charge held) {
    for (DayWindows of : pages) {
      for (Window window : of.windows()) {
        window.free(held);
      }
    }
  }

  void settle(Charge charge, long beyond, LedgerEntry lastLine) {
    for (DayWindows of : pages) {
      for (Window window : of.windows()) {
        window.settle(charge, beyond, lastLine);
      }
    }
  }
}
