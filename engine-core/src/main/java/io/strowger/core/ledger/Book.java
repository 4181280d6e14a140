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
  private static final int OTHER_DAYS = 8;

  private final Payer.Kind kind;
  private final String id;
  private final String name;
  private final Stripes stripes;
  private final Deque<DayWindows> others = new ArrayDeque<>(0); // most recently used first
  private @Nullable DayWindows current;
  private long dropped = Long.MIN_VALUE; // the latest day whose windows were dropped
  private volatile @Nullable PayerGroup party; // not guarded: any thread's value will do

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
    if (current != null) {
      current.fold(); // nothing is counted in the others
    }
  }

  /** Voids the shares of all stripes; call with all stripes locked. */
  void revokeShares() {
    if (current != null) {
      current.revokeShares();
    }
  }

  /** Returns the last payer group whose first book this was; null when there is none. */
  @Nullable PayerGroup party() {
    return party;
  }

  void remember(PayerGroup latest) {
    party = latest;
  }

  /**
   * Returns the windows of a day and makes them the current ones. A day that is not remembered and
   * precedes the first remembered day after the dropped ones gets the windows of that day: its own
   * spending is no longer known, and a budget must not be granted twice. It may also share a month
   * with a dropped day.
   */
  DayWindows pages(Day day) {
    DayWindows now = current;
    if (now != null && now.day().number() == day.number()) {
      return now;
    }
    DayWindows found = known(day);
    if (found == null) {
      DayWindows first = firstAfterDropped();
      found = first != null && day.number() < first.day().number() ? first : open(day);
    }
    if (found == now) {
      return found;
    }
    others.remove(found);
    if (now != null) {
      now.close();
      others.addFirst(now);
    }
    found.open();
    current = found;
    prune();
    return found;
  }

  /** Returns the window of a period with this account; null when none is remembered. */
  @Nullable Window find(Period period, Posting.Account account) {
    for (DayWindows pages : all()) {
      Window window = pages.window(period);
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
    if (current != null) {
      current.releaseIdle();
    }
    var windows = new LinkedHashSet<Window>();
    for (DayWindows pages : all()) {
      windows.addAll(List.of(pages.windows()));
    }
    return windows;
  }

  private @Nullable DayWindows known(Day day) {
    for (DayWindows pages : all()) {
      if (pages.day().number() == day.number()) {
        return pages;
      }
    }
    return null;
  }

  /** Returns the first remembered day after the dropped ones; null when there is none. */
  private @Nullable DayWindows firstAfterDropped() {
    DayWindows first = null;
    for (DayWindows pages : all()) {
      long number = pages.day().number();
      boolean isFirst = first == null || number < first.day().number();
      first = dropped != Long.MIN_VALUE && number > dropped && isFirst ? pages : first;
    }
    return first;
  }

  private DayWindows open(Day day) {
    Period[] periods = Period.values();
    var windows = new Window[periods.length];
    for (Period period : periods) {
      var account = new Posting.Account(name, day.window(period));
      Window shared = find(period, account); // days share their week, their month and all time
      windows[period.ordinal()] = shared == null ? new Window(account) : shared;
    }
    return new DayWindows(day, windows, stripes.count());
  }

  private void prune() {
    while (others.size() > OTHER_DAYS) {
      DayWindows oldest = null;
      for (DayWindows pages : others) {
        if (pages.areQuiet() && (oldest == null || pages.day().number() < oldest.day().number())) {
          oldest = pages;
        }
      }
      if (oldest == null) {
        return;
      }
      others.remove(oldest);
      dropped = Math.max(dropped, oldest.day().number());
    }
  }

  private List<DayWindows> all() {
    var all = new ArrayList<DayWindows>(others.size() + 1);
    DayWindows now = current;
    if (now != null) {
      all.add(now);
    }
    all.addAll(others);
    return all;
  }

  @Override
  public String toString() {
    return name;
  }
}
