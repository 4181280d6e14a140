package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A book's windows that a day lies in, one of each period.
 *
 * <p>What all budgets of the payer leave is dealt to the stripes in equal parts. A stripe may hold
 * what it was dealt without looking at the windows, since for every budget what is spent and what
 * is dealt together are never more than what it grants. Whoever spends beside the deal, or takes
 * from what budgets grant, ends it before letting go of the stripes. Changed by who has all of
 * them, but for the tallies.
 */
final class DayWindows {
  private final Day day;
  private final Window[] windows; // by Period.ordinal()
  private final @Nullable StripeTally[] tallies; // by stripe
  private boolean open; // what is counted in the tallies gets into the windows
  private @Nullable Payer payer; // whose budgets were dealt from last
  private boolean dealt;
  private long deals;
  private long each;

  /**
   * @param stripes how many there are
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

  /** Nothing is under way in the day's own window. */
  boolean areQuiet() {
    return window(Period.DAILY).isQuiet();
  }

  void addAccounts(List<Posting.Account> all) {
    for (Window window : windows) {
      all.add(window.account());
    }
  }

  /** Whether a stripe may count in them; otherwise all are needed. */
  boolean areOpen() {
    return open;
  }

  /** From now on they are the ones of their book that stripes count in. */
  void open() {
    open = true;
  }

  /** From now on no stripe counts in them, and nothing is kept for that. */
  void close() {
    releaseIdle();
    open = false;
  }

  /** Nobody may need them for long: they keep nothing but their windows. */
  void releaseIdle() {
    fold();
    revokeShares(); // what is left of it is in the tallies
    Arrays.fill(tallies, null);
  }

  /** Brings the windows up to date. */
  void fold() {
    for (StripeTally stripeTally : tallies) {
      if (stripeTally != null && stripeTally.changed()) {
        for (Window window : windows) {
          window.add(stripeTally);
        }
        stripeTally.clear();
      }
    }
  }

  /** What stripes have left is void. */
  void revokeShares() {
    dealt = false;
  }

  /**
   * Deals what is left; what stripes had left of the deal before is void.
   *
   * @param from whose budgets leave it
   * @param left after all of them; nothing is dealt unless it is more than 0
   * @return one with the same budgets, as {@link #covers} is to be asked with
   */
  Payer deal(Payer from, long left) {
    Payer known = payer;
    Payer same = known != null && known.budgets().equals(from.budgets()) ? known : from;
    payer = same;
    deals++;
    each = left / tallies.length;
    dealt = open && left > 0;
    return same;
  }

  /**
   * Whether a stripe may hold so much.
   *
   * @param under the very one that {@link #deal} returned
   */
  boolean covers(int stripe, Payer under, long amount) {
    return dealt && payer == under && tally(stripe).covers(amount, deals, each);
  }

  void hold(int stripe, Charge more, long amount) {
    tally(stripe).hold(more, amount);
  }

  /** As {@link StripeTally#settle}. */
  void settle(int stripe, Charge held, Charge charge, @Nullable LedgerEntry lastLine) {
    tally(stripe).settle(held, charge, lastLine);
  }

  private StripeTally tally(int stripe) {
    StripeTally known = tallies[stripe];
    if (known != null) {
      return known;
    }
    var begun = new StripeTally();
    tallies[stripe] = begun;
    return begun;
  }
}
