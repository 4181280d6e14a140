package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a book that contain one day, one for each period.
 *
 * <p>The money that all budgets of the payer leave is dealt to the stripes in equal shares. A
 * stripe may hold its share without looking at the windows: for every budget, spent and dealt money
 * together never exceed what was granted. A thread that spends money without taking it from a
 * share, or reduces a grant, voids the deal before it unlocks the stripes. Only the holder of all
 * stripes changes this object, except for the tallies.
 */
final class DayWindows {
  private final Day day;
  private final Window[] windows; // by Period.ordinal()
  private final @Nullable StripeTally[] tallies; // by stripe
  private boolean open; // whether stripes may count in the tallies
  private @Nullable Payer payer; // the payer of the last deal
  private boolean hasValidDeal;
  private long dealNumber;
  private long share;

  /**
   * @param stripes the number of stripes
   */
  DayWindows(Day day, Window[] windows, int stripes) {
    this.day = day;
    this.windows = windows;
    this.tallies = new StripeTally[stripes];
  }

  Day day() {
    return day;
  }

  Window window(Period period) {
    return windows[period.ordinal()];
  }

  Window[] windows() {
    return windows;
  }

  /** Returns whether the day's own window has no hold and no pending request. */
  boolean areQuiet() {
    return window(Period.DAILY).isQuiet();
  }

  void addAccounts(List<Posting.Account> target) {
    for (Window window : windows) {
      target.add(window.account());
    }
  }

  /** Returns whether one stripe may count here; otherwise all stripes are needed. */
  boolean areOpen() {
    return open;
  }

  /** Makes these the windows of their book that stripes count in. */
  void open() {
    open = true;
  }

  /** Ends counting by single stripes, and frees the tallies. */
  void close() {
    releaseIdle();
    open = false;
  }

  /** Folds the tallies and frees them; they are created again on demand. */
  void releaseIdle() {
    fold();
    revokeShares(); // the remaining shares are in the tallies
    Arrays.fill(tallies, null);
  }

  /** Adds the tallies to the windows and clears them. */
  void fold() {
    for (StripeTally stripeTally : tallies) {
      if (stripeTally != null && stripeTally.hasChanges()) {
        for (Window window : windows) {
          window.add(stripeTally);
        }
        stripeTally.clear();
      }
    }
  }

  /** Voids the remaining shares of all stripes. */
  void revokeShares() {
    hasValidDeal = false;
  }

  /**
   * Deals an amount to the stripes in equal shares; shares of the previous deal become void.
   *
   * @param newPayer the payer whose budgets leave the amount
   * @param amount nanodollars that all budgets leave; nothing is dealt unless the amount is
   *     positive
   * @return a payer with the same budgets, to be passed to {@link #covers}
   */
  Payer deal(Payer newPayer, long amount) {
    Payer lastPayer = payer;
    Payer dealPayer =
        lastPayer != null && lastPayer.budgets().equals(newPayer.budgets()) ? lastPayer : newPayer;
    payer = dealPayer;
    dealNumber++;
    share = amount / tallies.length;
    hasValidDeal = open && amount > 0;
    return dealPayer;
  }

  /**
   * Returns whether a stripe may hold this amount, in nanodollars.
   *
   * @param dealPayer the payer that {@link #deal} returned, compared by identity
   */
  boolean covers(int stripe, Payer dealPayer, long amount) {
    return hasValidDeal && payer == dealPayer && tally(stripe).covers(amount, dealNumber, share);
  }

  void hold(int stripe, Charge charge, long amount) {
    tally(stripe).hold(charge, amount);
  }

  /** Settles as {@link StripeTally#settle} does. */
  void settle(int stripe, Charge hold, Charge charge, @Nullable LedgerEntry lastLine) {
    tally(stripe).settle(hold, charge, lastLine);
  }

  private StripeTally tally(int stripe) {
    StripeTally tally = tallies[stripe];
    if (tally != null) {
      return tally;
    }
    var newTally = new StripeTally();
    tallies[stripe] = newTally;
    return newTally;
  }
}
