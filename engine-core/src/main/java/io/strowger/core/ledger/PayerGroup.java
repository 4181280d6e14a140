package io.strowger.core.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The payers of a request and their books, in the order of the books. Created once for the payers
 * of a caller and reused for all its requests.
 */
final class PayerGroup {
  private final List<Payer> claimPayers;
  private final Payer[] payers;
  private final Book[] books;
  private final Stripes stripes;
  private volatile @Nullable DayAccounts latest;

  /**
   * @param claimPayers the payers in the order of the claim
   * @param payers the same payers in the order of their books
   */
  PayerGroup(List<Payer> claimPayers, Payer[] payers, Book[] books, Stripes stripes) {
    this.claimPayers = claimPayers;
    this.payers = payers;
    this.books = books;
    this.stripes = stripes;
  }

  /** Returns whether this group was made for this very list object. */
  boolean matches(List<Payer> other) {
    return claimPayers == other;
  }

  Payer[] payers() {
    return payers;
  }

  /** Takes all stripes. */
  void lock() {
    stripes.lockAll();
  }

  void unlock() {
    stripes.unlockAll();
  }

  /** Returns the day accounts used last, of any day; null when there are none. */
  @Nullable DayAccounts latest() {
    return latest;
  }

  /** Deals the money that the budgets leave to the stripes; call under all stripes. */
  void distribute(DayAccounts dayAccounts) {
    for (int i = 0; i < payers.length; i++) {
      dayAccounts.deal(i, payers[i], unreservedAmount(dayAccounts.windowsOf(i), payers[i]));
    }
  }

  private static long unreservedAmount(DayWindows dayWindows, Payer payer) {
    long amount = Long.MAX_VALUE;
    for (Budget budget : payer.budgets()) {
      Window window = dayWindows.window(budget.period());
      long spent = window.spent(budget.withByok());
      LocalSlice slice = window.slice(budget.withByok());
      amount = Math.min(amount, slice.unreservedAmount(spent, budget.limit().nanos()));
    }
    return amount;
  }

  /** Voids the shares dealt from all books of the group, of any day; call under all stripes. */
  void revokeShares() {
    for (Book book : books) {
      book.revokeShares();
    }
  }

  /** Returns the up-to-date accounts of a day; call under all stripes. */
  DayAccounts accountsOf(Day day) {
    DayAccounts previous = latest;
    DayAccounts dayAccounts =
        previous != null && matches(previous, day) ? previous : createDayAccounts(day);
    dayAccounts.fold();
    return dayAccounts;
  }

  private boolean matches(DayAccounts dayAccounts, Day day) {
    for (int i = 0; i < books.length; i++) {
      if (books[i].windowsFor(day) != dayAccounts.windowsOf(i)) {
        return false;
      }
    }
    return true;
  }

  private DayAccounts createDayAccounts(Day day) {
    var dayWindows = new DayWindows[books.length];
    for (int i = 0; i < dayWindows.length; i++) {
      dayWindows[i] = books[i].windowsFor(day);
    }
    var dayAccounts = new DayAccounts(this, day, dayWindows);
    latest = dayAccounts;
    return dayAccounts;
  }

  /** Returns whether every budget covers this additional charge; call under all stripes. */
  boolean covers(DayAccounts dayAccounts, Charge charge) {
    for (int i = 0; i < payers.length; i++) {
      List<Budget> budgets = payers[i].budgets();
      for (int b = 0; b < budgets.size(); b++) {
        Budget budget = budgets.get(b);
        Window window = dayAccounts.windowsOf(i).window(budget.period());
        if (isShort(window, budget, charge)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns a slice to enlarge before a hold has to wait for it; null when there is none. */
  @Nullable SliceShortfall sliceToRefill(DayAccounts dayAccounts) {
    SliceShortfall shortfall = null;
    for (int i = 0; i < payers.length; i++) {
      List<Budget> budgets = payers[i].budgets();
      for (int b = 0; b < budgets.size(); b++) {
        Budget budget = budgets.get(b);
        Window window = dayAccounts.windowsOf(i).window(budget.period());
        LocalSlice slice = window.slice(budget.withByok());
        if (slice.isLow(window.spent(budget.withByok()))) {
          shortfall = new SliceShortfall(books[i], window, slice, budget.limit().nanos(), 0);
        }
      }
    }
    return shortfall;
  }

  /**
   * Returns the budget that is certainly short; null when none is, or the store may grant more.
   *
   * @param freshSince the nanoTime before which answers of the store are outdated
   */
  Ledger.Outcome.@Nullable Refused refusal(
      DayAccounts dayAccounts, Charge charge, long freshSince) {
    for (int i = 0; i < payers.length; i++) {
      Budget longestBudget = null;
      for (Budget budget : payers[i].budgets()) {
        Window window = dayAccounts.windowsOf(i).window(budget.period());
        boolean isCertain =
            isShort(window, budget, charge) && !mayGrow(window, budget, charge, freshSince);
        if (isCertain
            && (longestBudget == null || periodRank(budget) > periodRank(longestBudget))) {
          longestBudget = budget;
        }
      }
      if (longestBudget != null) {
        long remaining =
            dayAccounts
                .windowsOf(i)
                .window(longestBudget.period())
                .availableAmount(longestBudget, freshSince);
        return new Ledger.Outcome.Refused(payers[i], longestBudget, new Usd(remaining));
      }
    }
    return null;
  }

  private static boolean isShort(Window window, Budget budget, Charge charge) {
    LocalSlice slice = window.slice(budget.withByok());
    long spent = window.spent(budget.withByok());
    return !slice.covers(spent, countedAmount(budget, charge), budget.limit().nanos());
  }

  private static boolean mayGrow(Window window, Budget budget, Charge charge, long freshSince) {
    LocalSlice slice = window.slice(budget.withByok());
    return slice.mayGrow(need(window, budget, charge), budget.limit().nanos(), freshSince);
  }

  private static long need(Window window, Budget budget, Charge charge) {
    return SaturatingMath.plus(window.spent(budget.withByok()), countedAmount(budget, charge));
  }

  /** Returns the rank of a budget's period: the longer, the higher. */
  static int periodRank(Budget budget) {
    return switch (budget.period()) {
      case LIFETIME -> 3;
      case MONTHLY -> 2;
      case WEEKLY -> 1;
      case DAILY -> 0;
    };
  }

  /** Returns every slice that is too small; call under all stripes. */
  List<SliceShortfall> shortfalls(DayAccounts dayAccounts, Charge charge) {
    List<SliceShortfall> shortfalls = new ArrayList<>();
    for (int i = 0; i < payers.length; i++) {
      for (Budget budget : payers[i].budgets()) {
        Window window = dayAccounts.windowsOf(i).window(budget.period());
        if (isShort(window, budget, charge)) {
          LocalSlice slice = window.slice(budget.withByok());
          long hold = countedAmount(budget, charge);
          shortfalls.add(new SliceShortfall(books[i], window, slice, budget.limit().nanos(), hold));
        }
      }
    }
    return shortfalls;
  }

  /** Returns the part of a charge that counts against a budget, in nanodollars. */
  static long countedAmount(Budget budget, Charge charge) {
    return budget.withByok()
        ? SaturatingMath.plus(charge.credits().nanos(), charge.byokCost().nanos())
        : charge.credits().nanos();
  }
}
