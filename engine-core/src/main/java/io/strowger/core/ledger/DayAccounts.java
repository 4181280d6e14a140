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
  private final PayerGroup payerGroup;
  private final Day day;
  private final DayWindows[] dayWindows;
  private final Payer[] payers; // payers whose budgets were dealt; guarded like the windows
  private final List<Posting.Account> accounts;

  /**
   * @param dayWindows the windows of each book, in the order of the payer group's books
   */
  DayAccounts(PayerGroup payerGroup, Day day, DayWindows[] dayWindows) {
    this.payerGroup = payerGroup;
    this.day = day;
    this.dayWindows = dayWindows;
    this.payers = payerGroup.payers().clone();
    var accountList = new ArrayList<Posting.Account>();
    for (DayWindows bookWindows : dayWindows) {
      bookWindows.addAccounts(accountList);
    }
    this.accounts = List.copyOf(accountList);
  }

  PayerGroup payerGroup() {
    return payerGroup;
  }

  DayWindows windowsOf(int book) {
    return dayWindows[book];
  }

  /** Returns the accounts that ledger lines count in; needs no lock. */
  List<Posting.Account> accounts() {
    return accounts;
  }

  /** Takes a hold from a stripe's shares; false when one is too small or the day differs. */
  boolean holdFromShare(int stripe, Day claimDay, Charge charge) {
    if (claimDay.number() != day.number()) {
      return false;
    }
    long amount = SaturatingMath.plus(charge.credits().nanos(), charge.byokCost().nanos());
    for (int i = 0; i < dayWindows.length; i++) {
      if (!dayWindows[i].covers(stripe, payers[i], amount)) {
        return false;
      }
    }
    for (DayWindows bookWindows : dayWindows) {
      bookWindows.hold(stripe, charge, amount);
    }
    return true;
  }

  /** Returns whether the holder of a single stripe may count here. */
  boolean isOpen() {
    for (DayWindows bookWindows : dayWindows) {
      if (!bookWindows.areOpen()) {
        return false;
      }
    }
    return true;
  }

  /** Settles under one stripe while {@link #isOpen}, as {@link StripeTally#settle} does. */
  void settle(int stripe, Charge hold, Charge charge, @Nullable LedgerEntry lastLine) {
    for (DayWindows bookWindows : dayWindows) {
      bookWindows.settle(stripe, hold, charge, lastLine);
    }
  }

  /** Brings the windows up to date. */
  void fold() {
    for (DayWindows bookWindows : dayWindows) {
      bookWindows.fold();
    }
  }

  /**
   * Deals to the stripes, in equal shares, the money that the budgets of a payer leave. Earlier
   * shares become void.
   *
   * @param remaining nanodollars that the budgets leave; {@link Long#MAX_VALUE} if there are none
   */
  void deal(int book, Payer payer, long remaining) {
    long headroom = dayWindows[book].window(Period.LIFETIME).headroom(); // lifetime holds the most
    payers[book] = dayWindows[book].deal(payer, Math.min(remaining, headroom));
  }

  /** Returns whether the held total would still fit in a long. */
  boolean canHold(Charge charge) {
    for (DayWindows bookWindows : dayWindows) {
      if (!bookWindows.window(Period.LIFETIME).canHold(charge)) {
        return false;
      }
    }
    return true;
  }

  void hold(Charge charge) {
    for (DayWindows bookWindows : dayWindows) {
      for (Window window : bookWindows.windows()) {
        window.hold(charge);
      }
    }
  }

  void free(Charge hold) {
    for (DayWindows bookWindows : dayWindows) {
      for (Window window : bookWindows.windows()) {
        window.free(hold);
      }
    }
  }

  void settle(Charge charge, long excess, LedgerEntry lastLine) {
    for (DayWindows bookWindows : dayWindows) {
      for (Window window : bookWindows.windows()) {
        window.settle(charge, excess, lastLine);
      }
    }
  }
}
