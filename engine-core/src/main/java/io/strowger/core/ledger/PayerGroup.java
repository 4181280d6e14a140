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
  private final List<Payer> given;
  private final Payer[] payers;
  private final Book[] books;
  private final Stripes stripes;
  private volatile @Nullable DayAccounts latest;

  /**
   * @param given the payers in the order of the claim
   * @param payers the same payers in the order of their books
   */
  PayerGroup(List<Payer> given, Payer[] payers, Book[] books, Stripes stripes) {
    this.given = given;
    this.payers = payers;
    this.books = books;
    this.stripes = stripes;
  }

  /** Returns whether this group was made for this very list object. */
  boolean isOf(List<Payer> asked) {
    return given == asked;
  }

  Payer[] payers() {
    return payers;
  }

  Book[] books() {
    return books;
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
  void distribute(DayAccounts sheet) {
    for (int i = 0; i < payers.length; i++) {
      sheet.deal(i, payers[i], spare(sheet.of(i), payers[i]));
    }
  }

  private static long spare(DayWindows pages, Payer payer) {
    long spare = Long.MAX_VALUE;
    for (Budget budget : payer.budgets()) {
      Window window = pages.window(budget.period());
      long spent = window.spent(budget.withByok());
      LocalSlice slice = window.slice(budget.withByok());
      spare = Math.min(spare, slice.unreservedAmount(spent, budget.limit().nanos()));
    }
    return spare;
  }

  /** Voids the shares dealt from all books of the group, of any day; call under all stripes. */
  void revokeShares() {
    for (Book book : books) {
      book.revokeShares();
    }
  }

  /** Returns the up-to-date accounts of a day; call under all stripes. */
  DayAccounts accountsOf(Day day) {
    DayAccounts known = latest;
    DayAccounts sheet = known != null && isOf(known, day) ? known : newSheet(day);
    sheet.fold();
    return sheet;
  }

  private boolean isOf(DayAccounts sheet, Day day) {
    for (int i = 0; i < books.length; i++) {
      if (books[i].pages(day) != sheet.of(i)) {
        return false;
      }
    }
    return true;
  }

  private DayAccounts newSheet(Day day) {
    var pages = new DayWindows[books.length];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = books[i].pages(day);
    }
    var sheet = new DayAccounts(this, day, pages);
    latest = sheet;
    return sheet;
  }

  /** Returns whether every budget covers this additional charge; call under all stripes. */
  boolean covers(DayAccounts sheet, Charge more) {
    for (int i = 0; i < payers.length; i++) {
      List<Budget> budgets = payers[i].budgets();
      for (int b = 0; b < budgets.size(); b++) {
        Budget budget = budgets.get(b);
        Window window = sheet.of(i).window(budget.period());
        if (isShort(window, budget, more)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns a slice to enlarge before a hold has to wait for it; null when there is none. */
  @Nullable SliceShortfall sliceToRefill(DayAccounts sheet) {
    SliceShortfall low = null;
    for (int i = 0; i < payers.length; i++) {
      List<Budget> budgets = payers[i].budgets();
      for (int b = 0; b < budgets.size(); b++) {
        Budget budget = budgets.get(b);
        Window window = sheet.of(i).window(budget.period());
        LocalSlice slice = window.slice(budget.withByok());
        if (slice.isLow(window.spent(budget.withByok()))) {
          low = new SliceShortfall(books[i], window, slice, budget.limit().nanos(), 0);
        }
      }
    }
    return low;
  }

  /**
   * Returns the budget that is certainly short; null when none is, or the store may grant more.
   *
   * @param fresh the nanoTime before which answers of the store are outdated
   */
  Ledger.Outcome.@Nullable Refused refused(DayAccounts sheet, Charge more, long fresh) {
    for (int i = 0; i < payers.length; i++) {
      Budget broadest = null;
      for (Budget budget : payers[i].budgets()) {
        Window window = sheet.of(i).window(budget.period());
        boolean never = isShort(window, budget, more) && !mayGrow(window, budget, more, fresh);
        if (never && (broadest == null || periodRank(budget) > periodRank(broadest))) {
          broadest = budget;
        }
      }
      if (broadest != null) {
        long left = sheet.of(i).window(broadest.period()).room(broadest, fresh);
        return new Ledger.Outcome.Refused(payers[i], broadest, new Usd(left));
      }
    }
    return null;
  }

  private static boolean isShort(Window window, Budget budget, Charge more) {
    LocalSlice slice = window.slice(budget.withByok());
    long spent = window.spent(budget.withByok());
    return !slice.covers(spent, counted(budget, more), budget.limit().nanos());
  }

  private static boolean mayGrow(Window window, Budget budget, Charge more, long fresh) {
    LocalSlice slice = window.slice(budget.withByok());
    return slice.mayGrow(need(window, budget, more), budget.limit().nanos(), fresh);
  }

  private static long need(Window window, Budget budget, Charge more) {
    return SaturatingMath.plus(window.spent(budget.withByok()), counted(budget, more));
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
  List<SliceShortfall> shortfalls(DayAccounts sheet, Charge more) {
    List<SliceShortfall> lacks = new ArrayList<>();
    for (int i = 0; i < payers.length; i++) {
      for (Budget budget : payers[i].budgets()) {
        Window window = sheet.of(i).window(budget.period());
        if (isShort(window, budget, more)) {
          LocalSlice slice = window.slice(budget.withByok());
          long hold = counted(budget, more);
          lacks.add(new SliceShortfall(books[i], window, slice, budget.limit().nanos(), hold));
        }
      }
    }
    return lacks;
  }

  /** Returns the part of a charge that counts against a budget, in nanodollars. */
  static long counted(Budget budget, Charge charge) {
    return budget.withByok()
        ? SaturatingMath.plus(charge.credits().nanos(), charge.byokCost().nanos())
        : charge.credits().nanos();
  }
}
