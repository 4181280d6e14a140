package io.strowger.core.ledger;

import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The spending of one payer on this node. Guarded by all stripes together, except for the tallies,
 * each of which its own stripe guards.
 */
final class Book implements Comparable<Book> {
  /** How many days are kept besides the current one, for clocks that are set back. */
  private static final int MAX_OTHER_DAYS = 8;

  private final Payer.Kind kind;
  private final String id;
  private final String name;
  private final Stripes stripes;
  private final Deque<DayWindows> otherDays = new ArrayDeque<>(0); // most recently used first
  private @Nullable DayWindows currentDay;
  private long lastDroppedDay = Long.MIN_VALUE; // the latest day whose windows were dropped
  private volatile @Nullable PayerGroup payerGroup; // not guarded: any thread's value will do

  Book(Payer payer, Stripes stripes) {
    this.stripes = stripes;
    this.kind = payer.kind();
    this.id = payer.id();
    this.name = payer.toString();
  }

  @Override
  public int compareTo(Book other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : id.compareTo(other.id);
  }

  /** Takes all stripes and brings the windows up to date. */
  void lock() {
    stripes.lockAll();
    fold();
  }

  void unlock() {
    stripes.unlockAll();
  }

  /** Brings the windows up to date; call with all stripes locked. */
  void fold() {
    if (currentDay != null) {
      currentDay.fold(); // stripes count in no other day
    }
  }

  /** Voids the shares of all stripes; call with all stripes locked. */
  void revokeShares() {
    if (currentDay != null) {
      currentDay.revokeShares();
    }
  }

  /** Returns the latest payer group whose first book is this one; null when there is none. */
  @Nullable PayerGroup payerGroup() {
    return payerGroup;
  }

  void setPayerGroup(PayerGroup group) {
    payerGroup = group;
  }

  /**
   * Returns the windows of a day and makes them the current ones. If windows were dropped, a day
   * that is not remembered may be one of the dropped days, or share a month with one. Its spending
   * is then no longer known, and a budget must not be granted twice. Such a day gets the windows of
   * the first remembered day after the dropped ones, if it comes before that day.
   */
  DayWindows windowsFor(Day day) {
    DayWindows active = currentDay;
    if (active != null && active.day().number() == day.number()) {
      return active;
    }
    DayWindows dayWindows = findDay(day);
    if (dayWindows == null) {
      DayWindows first = firstAfterDropped();
      dayWindows = first != null && day.number() < first.day().number() ? first : createDay(day);
    }
    if (dayWindows == active) {
      return dayWindows;
    }
    otherDays.remove(dayWindows);
    if (active != null) {
      active.close();
      otherDays.addFirst(active);
    }
    dayWindows.open();
    currentDay = dayWindows;
    prune();
    return dayWindows;
  }

  /** Returns the window of a period with this account; null when none is remembered. */
  @Nullable Window find(Period period, Posting.Account account) {
    for (DayWindows dayWindows : allDays()) {
      Window window = dayWindows.window(period);
      if (window.account().equals(account)) {
        return window;
      }
    }
    return null;
  }

  /**
   * Frees the memory that only a busy book needs; it is allocated again on demand.
   *
   * @return every window that is remembered, each once
   */
  Set<Window> releaseIdle() {
    if (currentDay != null) {
      currentDay.releaseIdle();
    }
    var windows = new LinkedHashSet<Window>();
    for (DayWindows dayWindows : allDays()) {
      windows.addAll(List.of(dayWindows.windows()));
    }
    return windows;
  }

  private @Nullable DayWindows findDay(Day day) {
    for (DayWindows dayWindows : allDays()) {
      if (dayWindows.day().number() == day.number()) {
        return dayWindows;
      }
    }
    return null;
  }

  /** Returns the first remembered day after the dropped ones; null when there is none. */
  private @Nullable DayWindows firstAfterDropped() {
    DayWindows first = null;
    for (DayWindows dayWindows : allDays()) {
      long number = dayWindows.day().number();
      boolean isFirst = first == null || number < first.day().number();
      first =
          lastDroppedDay != Long.MIN_VALUE && number > lastDroppedDay && isFirst
              ? dayWindows
              : first;
    }
    return first;
  }

  private DayWindows createDay(Day day) {
    Period[] periods = Period.values();
    var windows = new Window[periods.length];
    for (Period period : periods) {
      var account = new Posting.Account(name, day.window(period));
      Window existing = find(period, account); // days share their week, their month and all time
      windows[period.ordinal()] = existing == null ? new Window(account) : existing;
    }
    return new DayWindows(day, windows, stripes.count());
  }

  private void prune() {
    while (otherDays.size() > MAX_OTHER_DAYS) {
      DayWindows oldest = null;
      for (DayWindows dayWindows : otherDays) {
        if (dayWindows.areQuiet()
            && (oldest == null || dayWindows.day().number() < oldest.day().number())) {
          oldest = dayWindows;
        }
      }
      if (oldest == null) {
        return;
      }
      otherDays.remove(oldest);
      lastDroppedDay = Math.max(lastDroppedDay, oldest.day().number());
    }
  }

  private List<DayWindows> allDays() {
    var days = new ArrayList<DayWindows>(otherDays.size() + 1);
    DayWindows active = currentDay;
    if (active != null) {
      days.add(active);
    }
    days.addAll(otherDays);
    return days;
  }

  @Override
  public String toString() {
    return name;
  }
}
