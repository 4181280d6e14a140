package io.strowger.core.ledger;

import io.strowger.spi.store.Payer;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The spending of one payer on this node. Everything in it is guarded by its lock, under which
 * nobody waits for a store. Books are locked in the order of {@link #compareTo}.
 */
final class Book implements Comparable<Book> {
  /** So many days are remembered beside the one in use, for clocks that are set back. */
  private static final int OTHER_DAYS = 8;

  private final Payer.Kind kind;
  private final String id;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Pages> others = new ArrayDeque<>(0); // the latest used first
  private @Nullable Pages current;
  private long dropped = Long.MIN_VALUE; // the last day whose pages are gone
  private @Nullable Held newest;
  private volatile @Nullable Party party; // not guarded: any thread's is as good
  private long earliest = Long.MAX_VALUE; // no hold is due before this second

  Book(Payer payer) {
    this.kind = payer.kind();
    this.id = payer.id();
    this.name = payer.toString();
  }

  @Override
  public int compareTo(Book other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : id.compareTo(other.id);
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** The party this book came first in lately; null: none. */
  @Nullable Party party() {
    return party;
  }

  void remember(Party latest) {
    party = latest;
  }

  /**
   * The pages of a day. A day before all that is remembered is taken for the first that is: what
   * was spent then is not known any more, and nothing may be granted twice. So is one between that
   * day and what was dropped, for they may share a month that went with it.
   */
  Pages pages(Day day) {
    Pages now = current;
    if (now != null && now.day().number() == day.number()) {
      return now;
    }
    Pages found = known(day);
    if (found == null) {
      Pages first = firstAfterDropped();
      found = first != null && day.number() < first.day().number() ? first : open(day);
    }
    if (found == now) {
      return found;
    }
    others.remove(found);
    if (now != null) {
      others.addFirst(now);
    }
    current = found;
    prune();
    return found;
  }

  /** Null when nothing was spent in it as far as is remembered. */
  @Nullable Window find(Period period, Posting.Account account) {
    for (Pages pages : all()) {
      Window window = pages.window(period);
      if (window.account().equals(account)) {
        return window;
      }
    }
    return null;
  }

  /** Every window that is remembered, each once. */
  Set<Window> windows() {
    var windows = new LinkedHashSet<Window>();
    for (Pages pages : all()) {
      windows.addAll(List.of(pages.windows()));
    }
    return windows;
  }

  private @Nullable Pages known(Day day) {
    for (Pages pages : all()) {
      if (pages.day().number() == day.number()) {
        return pages;
      }
    }
    return null;
  }

  /** Null when nothing was dropped. */
  private @Nullable Pages firstAfterDropped() {
    Pages first = null;
    for (Pages pages : all()) {
      long number = pages.day().number();
      boolean isFirst = first == null || number < first.day().number();
      first = dropped != Long.MIN_VALUE && number > dropped && isFirst ? pages : first;
    }
    return first;
  }

  private Pages open(Day day) {
    Period[] periods = Period.values();
    var windows = new Window[periods.length];
    for (Period period : periods) {
      var account = new Posting.Account(name, day.window(period));
      Window shared = find(period, account); // days share their week, their month and all time
      windows[period.ordinal()] = shared == null ? new Window(account) : shared;
    }
    return new Pages(day, windows);
  }

  private void prune() {
    while (others.size() > OTHER_DAYS) {
      Pages oldest = null;
      for (Pages pages : others) {
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

  private List<Pages> all() {
    var all = new ArrayList<Pages>(others.size() + 1);
    Pages now = current;
    if (now != null) {
      all.add(now);
    }
    all.addAll(others);
    return all;
  }

  /** A hold that this book keeps an eye on. */
  void link(Held held) {
    Held before = newest;
    held.next = before;
    if (before != null) {
      before.previous = held;
    }
    newest = held;
    earliest = Math.min(earliest, held.dueSecond());
  }

  void unlink(Held held) {
    Held before = held.previous;
    Held after = held.next;
    if (before != null) {
      before.next = after;
    } else {
      newest = after;
    }
    if (after != null) {
      after.previous = before;
    }
    held.previous = null;
    held.next = null;
  }

  /** Adds the holds whose time is over. */
  void addOverdue(long nowSecond, List<Held> overdue) {
    if (nowSecond <= earliest) {
      return;
    }
    long next = Long.MAX_VALUE;
    for (Held held = newest; held != null; held = held.next) {
      if (held.dueSecond() < nowSecond) {
        overdue.add(held);
      } else {
        next = Math.min(next, held.dueSecond());
      }
    }
    earliest = next;
  }

  @Override
  public String toString() {
    return name;
  }
}
