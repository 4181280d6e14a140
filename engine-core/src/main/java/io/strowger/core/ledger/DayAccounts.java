package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The windows of all payers of a request on one day. The holder of one stripe counts in the tallies
 * of that stripe, the holder of all stripes in the windows.
 */
final class DayAccounts {
  private final PayerGroup party;
  private final Day day;
  private final DayWindows[] pages;
  private final Payer[] payers; // payers whose budgets were dealt; guarded like the windows
  private final List<Posting.Account> accounts;

  /**
   * @param pages the windows of each book, in the order of the payer group's books
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

  /** Returns the accounts that ledger lines count in; needs no lock. */
  List<Posting.Account> accounts() {
    return accounts;
  }

  /** Takes a hold from a stripe's shares; false when one is too small or the day differs. */
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

  /** Returns whether the holder of a single stripe may count here. */
  boolean isOpen() {
    for (DayWindows of : pages) {
      if (!of.areOpen()) {
        return false;
      }
    }
    return true;
  }

  /** Settles under one stripe while {@link #isOpen}, as {@link StripeTally#settle} does. */
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
   * Deals to the stripes, in equal shares, the money that the budgets of a payer leave. Earlier
   * shares become void.
   *
   * @param left nanodollars that the budgets leave; {@link Long#MAX_VALUE} if there are none
   */
  void deal(int book, Payer payer, long left) {
    long headroom = pages[book].window(Period.LIFETIME).headroom(); // lifetime holds the most
    payers[book] = pages[book].deal(payer, Math.min(left, headroom));
  }

  /** Returns whether the held total would still fit in a long. */
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
